import type { Subscription, WishName } from "./api";

/** A monthly subscription as it is paid for; tests say what is different. */
export function sample(change: Partial<Subscription> = {}): Subscription {
  return {
    available_actions: listed(change),
    subscription_id: "sub_1",
    product: "premium",
    status: "active",
    price: 9.99,
    currency: "USD",
    period_months: 1,
    provider: "stripe",
    current_period_end: "2026-12-10T12:00:00Z",
    created_at: "2026-11-10T12:00:00Z",
    cancel_at: null,
    paused_until: null,
    card_brand: "visa",
    card_last4: "4242",
    overdue: null,
    pending_change: null,
    receipts: [
      { payment_id: "pay_1", paid_at: "2026-11-10T12:00:00Z", amount: 9.99, currency: "USD", reason: "first" },
    ],
    scheduled_plan: null,
    renews: true,
    ...change,
  };
}

/** As the server lists it for what Stripe charges. */
function listed({ status, overdue, cancel_at, paused_until, scheduled_plan }: Partial<Subscription>): WishName[] {
  if (status === "canceled" || status === "expired" || status === "incomplete") return [];
  if (overdue) return ["cancel", "card"];
  if (cancel_at) return ["keep", "card"];
  if (paused_until) return ["cancel", "card", "resume"];
  if (scheduled_plan) return ["cancel", "card", "plan", "keep_plan"];
  return status === "trialing" ? ["cancel", "card"] : ["cancel", "card", "pause", "plan"];
}

/** What a yearly one was changed to, before its year is over. */
export const scheduled = {
  price_id: "prc_month",
  price: 9.99,
  currency: "USD",
  period_months: 1,
  starts_at: "2027-11-10T12:00:00Z",
};

export const overdue = {
  amount: 9.99,
  access_until: "2026-12-24T12:00:00Z",
  code: "insufficient_funds",
  needs_new_card: false,
};
