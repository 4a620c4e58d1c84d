import { presentOffer } from "../presenting/offer-view.server";
import type { Data, PageContext } from "../types";

export function presentBinOffer({ offer, ...block }: Data<"BinOffer">, { locale }: PageContext) {
  return { ...block, price: offer && presentOffer(offer, { divider: null, suffix: null }, locale) };
}
