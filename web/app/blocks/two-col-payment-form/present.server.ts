import { presentPaymentForm } from "../payment-form/present.server";
import type { Data, PageContext } from "../types";

export function presentTwoColPaymentForm(block: Data<"TwoColPaymentForm">, context: PageContext) {
  const { __typename, sideTitle, sideItems, sideImage } = block;
  return { ...presentPaymentForm(block, context), __typename, sideTitle, sideItems, sideImage };
}
