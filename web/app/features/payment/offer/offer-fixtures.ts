import type { Campaign } from "./offer";

export const annual: Campaign = {
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
export const paidTrial: Campaign = {
  ...annual,
  has_trial_price: true,
  trial_prices: { stripe: [{ price_id: "prc_fee", id: "prc_1", price: 1 }] },
};

/** Fixtures of the property tests. A seed reproduces each run. */

export const campaign = (price: number): Campaign => ({
  customer_id: null,
  price_id: `prc_${price}`,
  currency: "USD",
  price,
  discount_rate: 0,
  default_price: price,
  default_price_currency: "USD",
  discount_amount: 0,
  trial_days: 0,
  campaign_id: "web-annual",
  period_months: 12,
  product: "premium",
});

export type Random = () => number;

export const oneOf = <T>(random: Random, choices: readonly T[]): T =>
  choices[Math.floor(random() * choices.length)] as T;
