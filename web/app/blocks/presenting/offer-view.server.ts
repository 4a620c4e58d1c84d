import type { OfferPartFragment } from "~/gen/graphql";
import { formatMoney, formatPercent, fromMajor, type Money, perPart } from "~/lib/format/money";
import type { Locale } from "~/lib/locale";

export interface PriceView {
  /** The large price: of one part, such as a month. */
  headline: string;
  headlineSuffix: string | null;
  /** The list price of the same part, when there is a saving. */
  list: string | null;
  listSuffix: string | null;
  saving: string | null;
  total: string;
  periodMonths: number;
  trialDays: number;
}

export interface PriceDivision {
  /** Number of parts, such as 12 months of a year. Null: undivided. */
  divider: number | null;
  suffix: string | null;
  /** Behind the list price. */
  listSuffix?: string | null;
}

export function presentOffer(
  offer: OfferPartFragment,
  { divider, suffix, listSuffix }: PriceDivision,
  locale: Locale,
): PriceView {
  const parts = divider ?? 0;
  const total: Money = { minor: offer.minorPrice, currency: offer.currency, exponent: offer.exponent };
  const list = fromMajor(offer.defaultPrice, offer.currency);
  const saves = list.minor > total.minor;
  return {
    headline: formatMoney(perPart(total, parts), locale),
    headlineSuffix: suffix,
    list: saves ? formatMoney(perPart(list, parts), locale) : null,
    listSuffix: (saves && listSuffix) || null,
    saving: saves && offer.discountRate > 0 ? formatPercent(offer.discountRate, locale) : null,
    total: formatMoney(total, locale),
    periodMonths: offer.periodMonths,
    trialDays: offer.trialDays,
  };
}
