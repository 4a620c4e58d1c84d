import { describe, expect, it } from "vitest";
import type { PriceBadgePartFragment } from "~/gen/graphql";
import { badgeText } from "./text";

const badge: PriceBadgePartFragment = {
  period: "OTHER",
  discountText: "Save 41 %",
  discountAmount: "$69.99",
  actualPrice: "$119.88",
  actualPriceColor: null,
  iconName: null,
  iconColor: null,
  backgroundColor: null,
  gradient: null,
  url: null,
  priceTextOverride: null,
};

describe("a price badge", () => {
  it("has both prices and the period", () => {
    expect(badgeText(badge, "en")).toEqual({
      override: null,
      amount: "$69.99",
      actualPrice: "$119.88",
      isInsteadBehind: false,
      hasPeriod: true,
    });
  });

  it("has its text behind the price in Turkish", () => {
    expect(badgeText(badge, "tr")?.isInsteadBehind).toBe(true);
  });

  it.each([
    ["NONE", false],
    ["THREE_MONTHS", true],
    ["OTHER", true],
  ] as const)("with period %s names the period: %s", (period, named) => {
    expect(badgeText({ ...badge, period }, "en")?.hasPeriod).toBe(named);
  });

  it.each([
    { actualPrice: "free", shown: false },
    { actualPrice: null, shown: false },
    { actualPrice: "9 USD", shown: true },
    { actualPrice: "٩ ر.س", shown: true },
    { actualPrice: "9 USD", priceTextOverride: "on us", shown: false },
    { actualPrice: null, priceTextOverride: "3 for 2", shown: true },
  ])("is shown only where its price has a digit: $actualPrice, $priceTextOverride", ({ shown, ...prices }) => {
    expect(badgeText({ ...badge, ...prices }, "en") !== null).toBe(shown);
  });
});
