import { type Answer, getJson, postJson } from "~/lib/http/request";
import { asMember } from "~/lib/session/as-member";
import { withStepUp } from "~/lib/session/step-up";

/** `incomplete` and `expired` subscriptions were never paid. */
export type Status = "incomplete" | "trialing" | "active" | "past_due" | "canceled" | "expired";
export type ActionName = "cancel" | "keep" | "card" | "pause" | "resume" | "plan" | "keep_plan";

/** Amounts are major units, times RFC 3339. */
export interface Subscription {
  subscription_id: string;
  product: string;
  status: Status;
  price: number | null;
  currency: string | null;
  period_months: number;
  /** The payment provider. */
  provider: "stripe" | "paypal" | "yookassa" | "platron";
  current_period_end: string | null;
  created_at: string | null;
  /** The scheduled end; null: none. */
  cancel_at: string | null;
  /** Nothing is charged before this time. */
  paused_until: string | null;
  card_brand: string | null;
  card_last4: string | null;
  /** An unpaid renewal. */
  overdue: Overdue | null;
  /** The action that the provider has not answered. */
  pending_change: ActionName | null;
  /** Actions that the server accepts now. */
  available_actions: ActionName[];
  /** Newest first. */
  receipts: Receipt[];
  /** A scheduled change to a cheaper plan. */
  scheduled_plan: ScheduledPlan | null;
  /** Renews at the end of the period. */
  renews: boolean;
}

/** A one-time purchase. */
export interface Purchase {
  order_id: string;
  /** `lifetime`, `trial`, `addition`, `gift` or `one_time`. */
  kind: string;
  product: string;
  provider: Subscription["provider"];
  /** The refunded amount, in the currency of its receipts. */
  refunded: number | null;
  receipts: Receipt[];
}

export interface ScheduledPlan {
  price_id: string;
  /** Price of each later period. */
  price: number | null;
  currency: string | null;
  period_months: number;
  starts_at: string | null;
}

export interface Overdue {
  amount: number | null;
  access_until: string | null;
  code: string;
  /** The card will not be charged again. */
  needs_new_card: boolean;
}

export interface Receipt {
  payment_id: string;
  paid_at: string | null;
  amount: number | null;
  currency: string | null;
  reason: string;
}

/** An action with its parameters. */
export type SubscriptionAction =
  | { name: "cancel" | "keep" | "resume" | "keep_plan" }
  | { name: "card"; payment_method_id: string }
  | { name: "pause"; until: string }
  /** Exactly as previewed; the server rejects anything else. */
  | ({ name: "plan" } & Pick<PlanPreview, "price_id" | "prorated_at" | "due_now_minor" | "currency">);

/** The present plan, or one to change to. */
export interface Plan {
  campaign: string;
  coupon_code: string;
  price_id: string;
  price: number;
  currency: string;
  period_months: number;
  current: boolean;
  /** Start of a cheaper plan. Null: at once. */
  starts_at: string | null;
}

/** The cost of a plan change at a moment. */
export interface PlanPreview {
  price_id: string;
  due_now: number;
  due_now_minor: number;
  /** Price of each later period. */
  then: number;
  currency: string;
  period_months: number;
  prorated_at: string | null;
  /** Start of a cheaper plan; nothing is due now. */
  starts_at: string | null;
}

/** The server waits for the provider. */
const ACTION_TIMEOUT_MS = 30_000;

export function loadSubscriptions(): Promise<Answer<{ subscriptions: Subscription[] }>> {
  return asMember(getJson("/api/subscriptions"));
}

export function loadPurchases(): Promise<Answer<{ purchases: Purchase[] }>> {
  return asMember(getJson("/api/purchases"));
}

/** Returns the changed subscription. A new card needs a recent authentication. */
export function sendAction(id: string, { name, ...body }: SubscriptionAction): Promise<Answer<Subscription>> {
  const path = `/api/subscriptions/${encodeURIComponent(id)}/${name}`;
  return withStepUp(() => asMember(postJson(path, { body, timeoutMs: ACTION_TIMEOUT_MS })));
}

export function loadPlans(id: string): Promise<Answer<{ plans: Plan[] }>> {
  return asMember(getJson(`/api/subscriptions/${encodeURIComponent(id)}/plans`));
}

/** Read-only. The server waits for the provider. */
export function previewPlan(id: string, priceId: string): Promise<Answer<PlanPreview>> {
  const path = `/api/subscriptions/${encodeURIComponent(id)}/plan-preview`;
  return asMember(postJson(path, { body: { price_id: priceId }, timeoutMs: ACTION_TIMEOUT_MS }));
}
