import { presentOffer } from "../presenting/offer-view.server";
import type { Data, PageContext } from "../types";

export function presentPaymentPrice(block: Data<"PaymentPrice">, { locale }: PageContext) {
  const { heading, note, offer } = block;
  return {
    __typename: block.__typename,
    id: block.id,
    heading,
    note,
    price: offer && presentOffer(offer, block, locale),
  };
}
