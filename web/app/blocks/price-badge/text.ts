import type { PriceBadgePartFragment } from "~/gen/graphql";

export interface BadgeText {
  /** What it says instead of prices, where an editor wants its own words. */
  override: string | null;
  /** What it costs now. */
  amount: string | null;
  /** What it would cost otherwise. */
  actualPrice: string | null;
  /** Whether "instead of" stands behind the price, as Turkish has it. */
  isInsteadBehind: boolean;
  hasPeriod: boolean;
}

const HAS_DIGIT = /\p{Nd}/u;

/** What a badge says, or nothing: one whose price names no number is not worth showing. */
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
