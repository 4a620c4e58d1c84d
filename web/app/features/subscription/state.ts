/** What is known of a member's subscriptions, and what became of the last wish. Only the server's answers change the former. */
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import type { Subscription, WishName } from "./api";

/** What a member is told of a wish, at its subscription. */
export type Said =
  | { kind: "done"; wish: WishName }
  /** Taken down; the provider has not answered. */
  | { kind: "open"; wish: WishName; before: Subscription }
  | { kind: "refused"; wish: WishName; problem: Problem }
  /** Nobody knows whether it arrived: the server is being asked. */
  | { kind: "lost"; wish: WishName; before: Subscription }
  /** The server was asked, and it is not so. */
  | { kind: "unseen"; wish: WishName };

export interface Known {
  at: "known";
  list: Subscription[];
  doing: { id: string; wish: WishName } | null;
  said: ({ id: string } & Said) | null;
  /** How often the server was asked in vain how it stands; then what is shown may be old. */
  unanswered: number;
  /** Answers to that question since the last wish. */
  answers: number;
}

export type State = { at: "loading" } | { at: "failed"; problem: Problem } | Known;

export type Event =
  | { type: "retried" }
  | { type: "listed"; list: Subscription[] }
  | { type: "listFailed"; problem: Problem }
  | { type: "wished"; id: string; wish: WishName }
  | { type: "answered"; subscription: Subscription; wish: WishName }
  | { type: "refused"; id: string; wish: WishName; problem: Problem };

export const INITIAL: State = { at: "loading" };

export function reduce(state: State, event: Event): State {
  if (state.at !== "known") return beforeKnown(state, event);
  switch (event.type) {
    case "retried":
      return { ...state, unanswered: 1 };
    case "listed":
      return { ...state, list: event.list, said: seen(state, event.list), unanswered: 0, answers: state.answers + 1 };
    case "listFailed":
      return { ...state, unanswered: state.unanswered + 1 };
    case "wished":
      return { ...state, doing: { id: event.id, wish: event.wish }, said: null, answers: 0 };
    case "answered":
      return answered(state, event.subscription, event.wish);
    case "refused":
      return refused(state, event.id, event.wish, event.problem);
  }
}

function beforeKnown(state: State, event: Event): State {
  switch (event.type) {
    case "listed":
      return { at: "known", list: event.list, doing: null, said: null, unanswered: 0, answers: 0 };
    case "listFailed":
      return { at: "failed", problem: event.problem };
    case "retried":
      return INITIAL;
    default:
      return state;
  }
}

function answered(state: Known, subscription: Subscription, wish: WishName): Known {
  const { subscription_id: id, pending_change } = subscription;
  const before = state.list.find((one) => one.subscription_id === id) ?? subscription;
  const list = state.list.map((one) => (one.subscription_id === id ? subscription : one));
  const said: Said = pending_change ? { kind: "open", wish: pending_change, before } : { kind: "done", wish };
  return { ...state, list, doing: null, said: { id, ...said } };
}

function refused(state: Known, id: string, wish: WishName, problem: Problem): Known {
  const before = state.list.find((one) => one.subscription_id === id);
  const said: Said = isUnknown(problem) && before ? { kind: "lost", wish, before } : { kind: "refused", wish, problem };
  return { ...state, doing: null, said: { id, ...said } };
}

/** A connection that broke and a server that stumbled leave open whether the wish was taken down. */
function isUnknown({ code, status }: Problem): boolean {
  return code === NETWORK_FAILURE || status >= 500;
}

/** What an answer to the question says about a wish that nobody has answered. */
function seen(state: Known, list: Subscription[]): Known["said"] {
  const said = state.said ?? openBefore(state.list);
  if (said?.kind !== "lost" && said?.kind !== "open") return said;
  const { id, wish, before } = said;
  const now = list.find((one) => one.subscription_id === id);
  if (!now) return { id, kind: "unseen", wish };
  if (now.pending_change) return { id, kind: "open", wish: now.pending_change, before };
  return { id, kind: isSo(wish, before, now) ? "done" : "unseen", wish };
}

/** A wish that was under way already when the page was opened. */
function openBefore(list: Subscription[]): Known["said"] {
  const before = list.find(({ pending_change }) => pending_change !== null);
  if (!before?.pending_change) return null;
  return { id: before.subscription_id, kind: "open", wish: before.pending_change, before };
}

function isSo(wish: WishName, before: Subscription, now: Subscription): boolean {
  switch (wish) {
    case "cancel":
      return now.cancel_at !== null || now.status === "canceled";
    case "keep":
      return now.cancel_at === null && now.status !== "canceled";
    case "pause":
      return now.paused_until !== null && now.paused_until !== before.paused_until;
    case "resume":
      return now.paused_until === null;
    case "card":
      return now.card_last4 !== before.card_last4 || now.card_brand !== before.card_brand || paidUp(before, now);
    case "plan":
      return now.price !== before.price || (!!now.scheduled_plan && scheduledId(now) !== scheduledId(before));
    case "keep_plan":
      return !now.scheduled_plan;
  }
}

function scheduledId({ scheduled_plan }: Subscription): string | undefined {
  return scheduled_plan?.price_id;
}

function paidUp(before: Subscription, now: Subscription): boolean {
  return before.overdue !== null && now.overdue === null;
}

/** Something is under way that only the server can tell the end of. */
export function isWaiting(state: State): boolean {
  if (state.at !== "known" || state.doing) return false;
  const isOpen = state.list.some(({ pending_change }) => pending_change !== null);
  return isOpen || state.said?.kind === "lost" || state.unanswered > 0 || isCharging(state);
}

const CHARGE_ANSWERS = 8;

/** A new card pays what is overdue, a little later than it is saved. Where its bank refuses, it stays overdue. */
function isCharging({ said, list, answers }: Known): boolean {
  if (said?.kind !== "done" || said.wish !== "card" || answers >= CHARGE_ANSWERS) return false;
  return list.some((one) => one.subscription_id === said.id && one.overdue !== null);
}

/** After so many questions without an answer it is up to the member to ask. */
export const PATIENCE = 4;

/** What is shown may not be true any more, and nobody is asking. */
export function isStale(state: Known): boolean {
  return state.unanswered >= PATIENCE;
}

/** A second wish waits for the first. */
export function mayWish(state: State, id: string): boolean {
  if (state.at !== "known" || state.doing || state.unanswered > 0 || state.said?.kind === "lost") return false;
  return state.list.some((one) => one.subscription_id === id && !one.pending_change);
}
