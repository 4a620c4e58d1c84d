import { describe, expect, it } from "vitest";
import { annual as campaign, paidTrial as trial } from "~/features/payment/offer/offer-fixtures";
import { intentKind } from "./intent-kind";

const sale = { transactionType: "subscription", locale: "en" } as const;

describe("a payment intent is created beforehand", () => {
  it("for a paid trial, whatever the page says", () => {
    expect(intentKind(trial, sale)).toBe("trial");
    expect(intentKind(trial, { transactionType: "lifetime", locale: "ru" })).toBe("trial");
  });

  it("for a lifetime purchase", () => {
    expect(intentKind({ ...campaign, kind: "lifetime" }, sale)).toBe("lifetime");
  });

  it("for a purchase that a Russian page calls lifetime, and on no other page", () => {
    expect(intentKind(campaign, { transactionType: "lifetime", locale: "ru" })).toBe("lifetime");
    expect(intentKind(campaign, { transactionType: "lifetime", locale: "en" })).toBeNull();
  });

  it("for no other price", () => {
    expect(intentKind(campaign, sale)).toBeNull();
    expect(intentKind({ ...campaign, has_trial_price: false }, sale)).toBeNull();
  });
});
