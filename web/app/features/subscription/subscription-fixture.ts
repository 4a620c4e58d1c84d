import type { ActionName, Subscription } from "./api";

/** A paid monthly subscription; tests override fields. */
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

/** The actions that the server lists for Stripe. */
function listed({ status, overdue, cancel_at, paused_until, scheduled_plan }: Partial<Subscription>): ActionName[] {
  if (status === "canceled" || status === "expired" || status === "incomplete") return [];
  if (overdue) return ["cancel", "card"];
  if (cancel_at) return ["keep", "card"];
  if (paused_until) return ["cancel", "card", "resume"];
  if (scheduled_plan) return ["cancel", "card", "plan", "keep_plan"];
  return status === "trialing" ? ["cancel", "card"] : ["cancel", "card", "pause", "plan"];
}

/** A scheduled change from a yearly plan to a monthly one. */
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
