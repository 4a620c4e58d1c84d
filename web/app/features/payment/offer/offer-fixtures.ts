import type { Campaign } from "./offer";

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
