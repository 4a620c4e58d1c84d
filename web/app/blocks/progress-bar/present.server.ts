import { formatPercent } from "~/lib/format/money";
import type { Data, PageContext } from "../types";

export function presentProgressBar(block: Data<"ProgressBar">, { locale }: PageContext) {
  return { ...block, valueText: formatPercent(block.value, locale) };
}
