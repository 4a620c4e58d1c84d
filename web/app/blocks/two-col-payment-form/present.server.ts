import { presentPaymentForm } from "../payment-form/present.server";
import type { Data, PageContext } from "../types";

export function presentTwoColPaymentForm(block: Data<"TwoColPaymentForm">, context: PageContext) {
  const { sideTitle, sideItems, sideImage } = block;
  const { checkout } = presentPaymentForm(block, context);
  return { __typename: block.__typename, id: block.id, checkout, sideTitle, sideItems, sideImage };
}
