import { formatMinutes } from "~/lib/duration";
import type { Data, PageContext } from "../types";

export function presentDynamicProgramContent(block: Data<"DynamicProgramContent">, { locale }: PageContext) {
  const programItems = block.programItems.map((item) => ({
    ...item,
    durationText: item.durationMinutes === null ? null : formatMinutes(item.durationMinutes, locale),
  }));
  return { ...block, programItems };
}
