import { withContact } from "../contact.server";
import { presentOffer } from "../offer-view.server";
import type { Data, PageContext } from "../types";

export function presentBinOffer(block: Data<"BinOffer">, { locale }: PageContext) {
  const { title, body, offer } = block;
  const price = offer && presentOffer(offer, { divider: null, suffix: null }, locale);
  return withContact({ __typename: block.__typename, id: block.id, title, body, price });
}
