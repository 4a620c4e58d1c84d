/** The loaded subscriptions and the notice of the last action. Only the server's responses change the subscriptions. */
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import type { ActionName, Subscription } from "./api";

/** The notice shown at a subscription after an action. */
export type ActionNotice =
  | { kind: "done"; action: ActionName }
  /** Accepted; the provider has not answered. */
  | { kind: "open"; action: ActionName; before: Subscription }
  | { kind: "refused"; action: ActionName; problem: Problem }
  /** The outcome is unknown; the list is being polled. */
  | { kind: "lost"; action: ActionName; before: Subscription }
  /** The list shows that the action was not applied. */
  | { kind: "unseen"; action: ActionName };

export interface LoadedState {
  at: "known";
  list: Subscription[];
  running: { id: string; action: ActionName } | null;
  notice: ({ id: string } & ActionNotice) | null;
  /** Failed loads in a row; after the first, the list may be stale. */
  unanswered: number;
  /** Successful loads since the last action. */
  answers: number;
}

export type State = { at: "loading" } | { at: "failed"; problem: Problem } | LoadedState;

export type Event =
  | { type: "retried" }
  | { type: "listed"; list: Subscription[] }
  | { type: "listFailed"; problem: Problem }
  | { type: "actionStarted"; id: string; action: ActionName }
  | { type: "answered"; subscription: Subscription; action: ActionName }
  | { type: "refused"; id: string; action: ActionName; problem: Problem };

export const INITIAL: State = { at: "loading" };

export function reduce(state: State, event: Event): State {
  if (state.at !== "known") return whileLoading(state, event);
  switch (event.type) {
    case "retried":
      return { ...state, unanswered: 1 };
    case "listed":
      return {
        ...state,
        list: event.list,
        notice: noticeAfterList(state, event.list),
        unanswered: 0,
        answers: state.answers + 1,
      };
    case "listFailed":
      return { ...state, unanswered: state.unanswered + 1 };
    case "actionStarted":
      return { ...state, running: { id: event.id, action: event.action }, notice: null, answers: 0 };
    case "answered":
      return answered(state, event.subscription, event.action);
    case "refused":
      return refused(state, event.id, event.action, event.problem);
  }
}

function whileLoading(state: State, event: Event): State {
  switch (event.type) {
    case "listed":
      return { at: "known", list: event.list, running: null, notice: null, unanswered: 0, answers: 0 };
    case "listFailed":
      return { at: "failed", problem: event.problem };
    case "retried":
      return INITIAL;
    default:
      return state;
  }
}

function answered(state: LoadedState, subscription: Subscription, action: ActionName): LoadedState {
  const { subscription_id: id, pending_change } = subscription;
  const before = state.list.find((one) => one.subscription_id === id) ?? subscription;
  const list = state.list.map((one) => (one.subscription_id === id ? subscription : one));
  const notice: ActionNotice = pending_change
    ? { kind: "open", action: pending_change, before }
    : { kind: "done", action };
  return { ...state, list, running: null, notice: { id, ...notice } };
}

function refused(state: LoadedState, id: string, action: ActionName, problem: Problem): LoadedState {
  const before = state.list.find((one) => one.subscription_id === id);
  const notice: ActionNotice =
    isUnknown(problem) && before ? { kind: "lost", action, before } : { kind: "refused", action, problem };
  return { ...state, running: null, notice: { id, ...notice } };
}

/** After a lost connection or a 5xx the action may have been applied. */
function isUnknown({ code, status }: Problem): boolean {
  return code === NETWORK_FAILURE || status >= 500;
}

/** The notice after a reload of the list, for an action without a known outcome. */
function noticeAfterList(state: LoadedState, list: Subscription[]): LoadedState["notice"] {
  const notice = state.notice ?? pendingActionNotice(state.list);
  if (notice?.kind !== "lost" && notice?.kind !== "open") return notice;
  const { id, action, before } = notice;
  const now = list.find((one) => one.subscription_id === id);
  if (!now) return { id, kind: "unseen", action };
  if (now.pending_change) return { id, kind: "open", action: now.pending_change, before };
  return { id, kind: isApplied(action, before, now) ? "done" : "unseen", action };
}

/** An action that was already pending when the page was opened. */
function pendingActionNotice(list: Subscription[]): LoadedState["notice"] {
  const before = list.find(({ pending_change }) => pending_change !== null);
  if (!before?.pending_change) return null;
  return { id: before.subscription_id, kind: "open", action: before.pending_change, before };
}

function isApplied(action: ActionName, before: Subscription, now: Subscription): boolean {
  switch (action) {
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

/** Only the server can resolve the present state. */
export function needsPolling(state: State): boolean {
  if (state.at !== "known" || state.running) return false;
  const isOpen = state.list.some(({ pending_change }) => pending_change !== null);
  return isOpen || state.notice?.kind === "lost" || state.unanswered > 0 || isCharging(state);
}

const MAX_CHARGE_POLLS = 8;

/** A new card pays the overdue amount a little after it is saved, unless its bank declines. */
function isCharging({ notice, list, answers }: LoadedState): boolean {
  if (notice?.kind !== "done" || notice.action !== "card" || answers >= MAX_CHARGE_POLLS) return false;
  return list.some((one) => one.subscription_id === notice.id && one.overdue !== null);
}

/** After this many failures in a row polling stops, and the member can retry. */
export const MAX_UNANSWERED = 4;

/** The list may be stale and is no longer polled. */
export function isStale(state: LoadedState): boolean {
  return state.unanswered >= MAX_UNANSWERED;
}

/** One action at a time. */
export function mayAct(state: State, id: string): boolean {
  if (state.at !== "known" || state.running || state.unanswered > 0 || state.notice?.kind === "lost") return false;
  return state.list.some((one) => one.subscription_id === id && !one.pending_change);
}
