/** Derives the next event and the available actions of a subscription. */
import type { Purchase, Subscription, SubscriptionAction } from "./api";

/** `at` is null when the date is unknown. */
export type NextEvent =
  | { kind: "ended" | "unconfirmed" | "renewing" }
  | {
      kind: "overdue" | "needsCard" | "lapses" | "ends" | "paused" | "firstCharge" | "changes" | "renews";
      at: string | null;
    };

/** Managed at its provider: it renews, and no action is available here. An ending subscription needs no action. */
export function isManagedElsewhere({ provider, renews, cancel_at, available_actions }: Subscription): boolean {
  return provider !== "stripe" && renews && !cancel_at && available_actions.length === 0;
}

export function nextEvent(subscription: Subscription, now: Date): NextEvent {
  const { status, overdue, cancel_at, paused_until, current_period_end, scheduled_plan } = subscription;
  if (status === "canceled" || status === "expired") return { kind: "ended" };
  if (status === "incomplete") return { kind: "unconfirmed" };
  if (overdue) return { kind: overdueKind(subscription), at: overdue.access_until };
  if (status === "past_due") return { kind: "overdue", at: current_period_end };
  if (cancel_at) return { kind: "ends", at: cancel_at };
  if (paused_until) return { kind: "paused", at: paused_until };
  if (!subscription.renews) return { kind: "ends", at: current_period_end };
  if (status === "trialing") return { kind: "firstCharge", at: current_period_end };
  // Between the end of a period and the report of the next payment.
  if (current_period_end && new Date(current_period_end) <= now) return { kind: "renewing" };
  if (scheduled_plan) return { kind: "changes", at: scheduled_plan.starts_at };
  return { kind: "renews", at: current_period_end };
}

/** A card that is not charged again is replaced, or the subscription lapses where the provider takes no other card. */
function overdueKind({ overdue, available_actions }: Subscription): "overdue" | "needsCard" | "lapses" {
  if (!overdue?.needs_new_card) return "overdue";
  return available_actions.includes("card") ? "needsCard" : "lapses";
}

/** Groups into active, recently unconfirmed and past; never-paid ones are dropped. */
export function groupSubscriptions(list: Subscription[], now: Date) {
  const isRecent = ({ created_at }: Subscription) => !!created_at && +now - +new Date(created_at) < DAY_MS;
  return {
    current: list.filter(({ status }) => status === "active" || status === "trialing" || status === "past_due"),
    unconfirmed: list.filter((one) => one.status === "incomplete" && isRecent(one)),
    past: list.filter(({ status }) => status === "canceled"),
  };
}

/** A lifetime purchase that is refunded in full opens nothing. */
export function ownsLifetime(purchases: Purchase[]): boolean {
  return purchases.some((purchase) => purchase.kind === "lifetime" && !isRefundedInFull(purchase));
}

function isRefundedInFull({ refunded, receipts }: Purchase): boolean {
  const paid = receipts.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
  return refunded !== null && refunded >= paid;
}

/** An unpaid renewal: a new card is asked for first where the provider takes one. */
export function isOverdue(subscription: Subscription, now: Date): boolean {
  const { kind } = nextEvent(subscription, now);
  return kind === "overdue" || kind === "needsCard" || kind === "lapses";
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** The server's actions in display order, most wanted first. */
export function availableActions(subscription: Subscription, now: Date): SubscriptionAction["name"][] {
  const { available_actions } = subscription;
  const { kind } = nextEvent(subscription, now);
  if (kind === "ended" || kind === "unconfirmed") return [];
  const canPause = pauseOptions(subscription, now).length > 0;
  return ORDER.filter((name) => available_actions.includes(name) && (name !== "pause" || canPause));
}

const ORDER: readonly SubscriptionAction["name"][] = ["keep", "resume", "keep_plan", "card", "plan", "pause", "cancel"];

/** The next charge after a plan change: another period length starts at once. */
export function nextChargeAt({ period_months, current_period_end }: Subscription, months: number, now: Date): Date {
  const keepsPeriod = months === period_months && current_period_end !== null;
  return keepsPeriod ? new Date(current_period_end) : monthsAfter(now, months);
}

const PAUSE_MONTHS = [1, 2, 3];

export interface PauseOption {
  months: number;
  until: string;
}

/** A pause needs an active, paid subscription, and must skip at least one payment. */
export function pauseOptions(subscription: Subscription, now: Date): PauseOption[] {
  const { status, current_period_end: end, cancel_at, overdue } = subscription;
  if (status !== "active" || !end || cancel_at || overdue) return [];
  const pauses = PAUSE_MONTHS.map((months) => ({ months, until: monthsAfter(now, months).toISOString() }));
  return pauses.filter(({ until }) => new Date(until) > new Date(end));
}

/**
 * The same day of a later month, or its last day. An hour less, so that a fast clock stays within the server's 92 days.
 */
export function monthsAfter(now: Date, months: number): Date {
  const at = new Date(+now - HOUR_MS);
  const day = at.getUTCDate();
  at.setUTCMonth(at.getUTCMonth() + months);
  // A day that the month does not have: go back to its last one.
  if (at.getUTCDate() !== day) at.setUTCDate(0);
  return at;
}
