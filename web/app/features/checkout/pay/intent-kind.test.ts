import { describe, expect, it } from "vitest";
import type { Campaign } from "~/features/payment/offer/offer";
import { intentKind } from "./intent-kind";

const campaign: Campaign = {
  customer_id: null,
  price_id: "prc_1",
  currency: "USD",
  price: 69.99,
  discount_rate: 0,
  default_price: 69.99,
  default_price_currency: "USD",
  discount_amount: 0,
  trial_days: 7,
  campaign_id: "cmp_1",
  period_months: 12,
  product: "premium",
  kind: "subscription",
};
const trial: Campaign = {
  ...campaign,
  has_trial_price: true,
  trial_prices: { stripe: [{ price_id: "prc_fee", id: "prc_1", price: 1 }] },
};
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

  it("for nothing else", () => {
    expect(intentKind(campaign, sale)).toBeNull();
    expect(intentKind({ ...campaign, has_trial_price: false }, sale)).toBeNull();
  });
});
