import { presentPlan } from "../plan-list/present.server";
import type { Data, PageContext } from "../types";

export function presentProductPlan(block: Data<"ProductPlan">, { locale }: PageContext) {
  return { ...block, plan: presentPlan(block.plan, locale) };
}
