import type { Campaign } from "./offer";

/** What the property tests are made of. Each run follows from its seed, so a failure can be run again. */

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
