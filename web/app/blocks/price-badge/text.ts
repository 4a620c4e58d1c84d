import type { PriceBadgePartFragment } from "~/gen/graphql";

export interface BadgeText {
  /** The editor's text in place of the prices. */
  override: string | null;
  /** The price. */
  amount: string | null;
  /** The list price. */
  actualPrice: string | null;
  /** Whether "instead of" follows the price, as in Turkish. */
  isInsteadBehind: boolean;
  hasPeriod: boolean;
}

const HAS_DIGIT = /\p{Nd}/u;

/** The texts of a badge; null when its price has no number. */
export function badgeText(badge: PriceBadgePartFragment, locale: string): BadgeText | null {
  const shown = badge.priceTextOverride ?? badge.actualPrice;
  if (!shown || !HAS_DIGIT.test(shown)) return null;
  return {
    override: badge.priceTextOverride,
    amount: badge.discountAmount,
    actualPrice: badge.priceTextOverride ? null : badge.actualPrice,
    isInsteadBehind: locale === "tr",
    hasPeriod: badge.period !== "NONE",
  };
}
