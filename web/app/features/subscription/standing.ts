/** What a subscription comes to for its member: what happens next, and what can be done about it. */
import type { Subscription, Wish } from "./api";

/** `at` is null only where nobody knows when. */
export type Next =
  | { kind: "ended" | "unconfirmed" | "renewing" }
  | { kind: "overdue" | "needsCard" | "ends" | "paused" | "firstCharge" | "changes" | "renews"; at: string | null };

/** Changed and ended where it is paid: nothing can be done about it here. */
export function isManagedElsewhere({ provider, status, available_actions }: Subscription): boolean {
  const runs = status !== "canceled" && status !== "expired" && status !== "incomplete";
  return runs && provider !== "stripe" && available_actions.length === 0;
}

export function nextOf(subscription: Subscription, now: Date): Next {
  const { status, overdue, cancel_at, paused_until, current_period_end, scheduled_plan } = subscription;
  if (status === "canceled" || status === "expired") return { kind: "ended" };
  if (status === "incomplete") return { kind: "unconfirmed" };
  if (overdue) return { kind: overdue.needs_new_card ? "needsCard" : "overdue", at: overdue.access_until };
  if (status === "past_due") return { kind: "overdue", at: current_period_end };
  if (cancel_at) return { kind: "ends", at: cancel_at };
  if (paused_until) return { kind: "paused", at: paused_until };
  if (!subscription.renews) return { kind: "ends", at: current_period_end };
  if (status === "trialing") return { kind: "firstCharge", at: current_period_end };
  // Between the end of a period and the word that the next one is paid.
  if (current_period_end && new Date(current_period_end) <= now) return { kind: "renewing" };
  if (scheduled_plan) return { kind: "changes", at: scheduled_plan.starts_at };
  return { kind: "renews", at: current_period_end };
}

/** The ones that run, those that are not confirmed yet, and those that are over; nobody misses what was never paid. */
export function sorted(list: Subscription[], now: Date) {
  const isYoung = ({ created_at }: Subscription) => !!created_at && +now - +new Date(created_at) < DAY_MS;
  return {
    current: list.filter(({ status }) => status === "active" || status === "trialing" || status === "past_due"),
    unconfirmed: list.filter((one) => one.status === "incomplete" && isYoung(one)),
    past: list.filter(({ status }) => status === "canceled"),
  };
}

/** Nothing is as urgent as another card. */
export function isUnpaid(subscription: Subscription, now: Date): boolean {
  const { kind } = nextOf(subscription, now);
  return kind === "overdue" || kind === "needsCard";
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** All that the server lists, in the order in which it is offered; the first is what most will want. */
export function wishesOf(subscription: Subscription, now: Date): Wish["name"][] {
  const { available_actions } = subscription;
  const { kind } = nextOf(subscription, now);
  if (isManagedElsewhere(subscription) || kind === "ended" || kind === "unconfirmed") return [];
  const canPause = pausesOf(subscription, now).length > 0;
  return ORDER.filter((name) => available_actions.includes(name) && (name !== "pause" || canPause));
}

const ORDER: readonly Wish["name"][] = ["keep", "resume", "keep_plan", "card", "plan", "pause", "cancel"];

/** When the price of another plan is charged next: a period of another length begins at once. */
export function nextChargeAt({ period_months, current_period_end }: Subscription, months: number, now: Date): Date {
  const goesOn = months === period_months && current_period_end !== null;
  return goesOn ? new Date(current_period_end) : monthsAfter(now, months);
}

const PAUSE_MONTHS = [1, 2, 3];

export interface Pause {
  months: number;
  until: string;
}

/** Only paid time that goes on can rest, and only pauses that spare a payment are one. */
export function pausesOf(subscription: Subscription, now: Date): Pause[] {
  const { status, current_period_end: end, cancel_at, overdue } = subscription;
  if (status !== "active" || !end || cancel_at || overdue) return [];
  const pauses = PAUSE_MONTHS.map((months) => ({ months, until: monthsAfter(now, months).toISOString() }));
  return pauses.filter(({ until }) => new Date(until) > new Date(end));
}

/** The same day of a later month, or its last one. A clock that is an hour fast stays within the 92 days the server allows. */
export function monthsAfter(now: Date, months: number): Date {
  const at = new Date(+now - HOUR_MS);
  const day = at.getUTCDate();
  at.setUTCMonth(at.getUTCMonth() + months);
  // February has no 30th: the month after it is not meant.
  if (at.getUTCDate() !== day) at.setUTCDate(0);
  return at;
}
