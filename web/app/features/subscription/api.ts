import { type Answer, getJson, type Problem, postJson } from "~/lib/http/request";
import { setSession } from "~/lib/session";

/** `incomplete` and `expired` ones were never paid. */
export type Status = "incomplete" | "trialing" | "active" | "past_due" | "canceled" | "expired";
export type WishName = "cancel" | "keep" | "card" | "pause" | "resume" | "plan" | "keep_plan";

/** Amounts are in major units, times as RFC 3339 has them. */
export interface Subscription {
  subscription_id: string;
  product: string;
  status: Status;
  price: number | null;
  currency: string | null;
  period_months: number;
  /** Who takes the money. */
  provider: "stripe" | "paypal" | "yookassa" | "platron";
  current_period_end: string | null;
  created_at: string | null;
  /** It ends then, unless it is kept. */
  cancel_at: string | null;
  /** Nothing is charged until then. */
  paused_until: string | null;
  card_brand: string | null;
  card_last4: string | null;
  /** A renewal that was not paid. */
  overdue: Overdue | null;
  /** What the provider has not answered yet. */
  pending_change: WishName | null;
  /** What can be asked for now. */
  available_actions: WishName[];
  /** Newest first. */
  receipts: Receipt[];
  /** A cheaper plan that has not begun. */
  scheduled_plan: ScheduledPlan | null;
  /** Another period is charged when this one ends. */
  renews: boolean;
}

/** Paid once. */
export interface Purchase {
  order_id: string;
  /** `lifetime`, `trial`, `addition`, `gift` or `one_time`. */
  kind: string;
  product: string;
  provider: Subscription["provider"];
  /** What of it was given back, in the currency of its receipts. */
  refunded: number | null;
  receipts: Receipt[];
}

export interface ScheduledPlan {
  price_id: string;
  /** Each period from then on. */
  price: number | null;
  currency: string | null;
  period_months: number;
  starts_at: string | null;
}

export interface Overdue {
  amount: number | null;
  access_until: string | null;
  code: string;
  /** The card will not be tried again. */
  needs_new_card: boolean;
}

export interface Receipt {
  payment_id: string;
  paid_at: string | null;
  amount: number | null;
  currency: string | null;
  reason: string;
}

/** What a member can ask for here, with what it needs. */
export type Wish =
  | { name: "cancel" | "keep" | "resume" | "keep_plan" }
  | { name: "card"; payment_method_id: string }
  | { name: "pause"; until: string }
  /** Exactly as it was previewed: anything else is refused. */
  | ({ name: "plan" } & Pick<PlanPreview, "price_id" | "prorated_at" | "due_now_minor" | "currency">);

/** A plan this subscription runs on or can be changed to. */
export interface Plan {
  campaign: string;
  coupon_code: string;
  price_id: string;
  price: number;
  currency: string;
  period_months: number;
  current: boolean;
  /** It costs less, and would begin then. Null: at once. */
  starts_at: string | null;
}

/** What another plan costs, as of a moment. */
export interface PlanPreview {
  price_id: string;
  due_now: number;
  due_now_minor: number;
  /** Each period from then on. */
  then: number;
  currency: string;
  period_months: number;
  prorated_at: string | null;
  /** The plan costs less: it begins then, and nothing is due now. */
  starts_at: string | null;
}

/** The provider is asked meanwhile. */
const WISH_TIMEOUT_MS = 30_000;

export function loadSubscriptions(): Promise<Answer<{ subscriptions: Subscription[] }>> {
  return asMember(getJson("/api/subscriptions"));
}

export function loadPurchases(): Promise<Answer<{ purchases: Purchase[] }>> {
  return asMember(getJson("/api/purchases"));
}

/** Answers with the subscription as it is now. */
export function sendWish(id: string, { name, ...body }: Wish): Promise<Answer<Subscription>> {
  return asMember(
    postJson(`/api/subscriptions/${encodeURIComponent(id)}/${name}`, { body, timeoutMs: WISH_TIMEOUT_MS }),
  );
}

export function loadPlans(id: string): Promise<Answer<{ plans: Plan[] }>> {
  return asMember(getJson(`/api/subscriptions/${encodeURIComponent(id)}/plans`));
}

/** Changes nothing. The provider is asked meanwhile. */
export function previewPlan(id: string, priceId: string): Promise<Answer<PlanPreview>> {
  const path = `/api/subscriptions/${encodeURIComponent(id)}/plan-preview`;
  return asMember(postJson(path, { body: { price_id: priceId }, timeoutMs: WISH_TIMEOUT_MS }));
}

/** A session that has ended elsewhere in the meantime leaves a visitor. */
async function asMember<T>(call: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await call;
  if (!answer.ok && isSignedOut(answer.problem)) setSession({ state: "visitor" });
  return answer;
}

function isSignedOut({ status, code }: Problem): boolean {
  return status === 401 && code === "V100";
}
