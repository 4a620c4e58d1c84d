import { describe, expect, it } from "vitest";
import type { Campaign } from "../offer/offer";
import { viewOrder } from "./order-view";

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
describe("the order as text", () => {
  it("shows what is due today: the price of the trial", () => {
    const order = viewOrder(trial, "en", new Date(2026, 10, 20));
    expect(order).toMatchObject({ dueToday: "$1", trialFee: "$1", isOneTime: false });
    expect(viewOrder(campaign, "en", new Date())).toMatchObject({ dueToday: "$0", trialFee: null });
    expect(viewOrder({ ...campaign, kind: "lifetime" }, "en", new Date()).isOneTime).toBe(true);
  });
});
