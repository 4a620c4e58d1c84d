import { describe, expect, it } from "vitest";
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import type { ActionName, Subscription } from "./api";
import {
  type Event,
  INITIAL,
  isStale,
  type LoadedState,
  MAX_UNANSWERED,
  mayAct,
  needsPolling,
  reduce,
  type State,
} from "./state";
import { overdue, sample, scheduled } from "./subscription-fixture";

const problem = (code: string, status = 409): Problem => ({
  code,
  status,
  detail: "",
  errors: [],
  retryAfterSecs: null,
});
const broken = problem(NETWORK_FAILURE, 0);
const play = (...events: Event[]): State => events.reduce(reduce, INITIAL);
const known = (...events: Event[]): LoadedState => {
  const state = play({ type: "listed", list: [sample()] }, ...events);
  if (state.at !== "known") throw new Error(`It is ${state.at}`);
  return state;
};
const started = (action: ActionName): Event => ({ type: "actionStarted", id: "sub_1", action });
const refused = (action: ActionName, why: Problem): Event => ({ type: "refused", id: "sub_1", action, problem: why });
const listed = (change: Partial<Subscription> = {}): Event => ({ type: "listed", list: [sample(change)] });
const answered = (action: ActionName, change: Partial<Subscription>): Event => ({
  type: "answered",
  subscription: sample(change),
  action,
});
const end = "2026-12-10T12:00:00Z";

describe("before the list is loaded", () => {
  it("loads, and can be retried after a failure", () => {
    expect(play({ type: "listFailed", problem: broken })).toEqual({ at: "failed", problem: broken });
    expect(play({ type: "listFailed", problem: broken }, { type: "retried" })).toEqual(INITIAL);
    expect(known().list).toEqual([sample()]);
  });
});

describe("an action", () => {
  it("blocks others until it is answered, and its answer replaces the subscription", () => {
    const sent = known(started("cancel"));
    expect(sent.running).toEqual({ id: "sub_1", action: "cancel" });
    expect(sent.list[0]?.cancel_at).toBeNull();
    expect(mayAct(sent, "sub_1")).toBe(false);
    const done = reduce(sent, answered("cancel", { cancel_at: end }));
    expect(done).toMatchObject({
      running: null,
      notice: { kind: "done", action: "cancel" },
      list: [{ cancel_at: end }],
    });
    expect(mayAct(done, "sub_1")).toBe(true);
  });

  it("without the provider's answer is polled, and blocks others", () => {
    const open = known(started("cancel"), answered("cancel", { pending_change: "cancel" }));
    expect(open.notice).toMatchObject({ kind: "open", action: "cancel" });
    expect([needsPolling(open), mayAct(open, "sub_1")]).toEqual([true, false]);
    const done = reduce(open, listed({ cancel_at: end }));
    expect(done).toMatchObject({ notice: { kind: "done", action: "cancel" } });
    expect(needsPolling(done)).toBe(false);
    expect(reduce(open, listed())).toMatchObject({ notice: { kind: "unseen", action: "cancel" } });
    expect(reduce(open, { type: "listed", list: [] })).toMatchObject({ notice: { kind: "unseen" } });
  });

  it("that was pending when the page opened is shown as well", () => {
    const opened = play(listed({ pending_change: "keep", cancel_at: end }));
    expect(needsPolling(opened)).toBe(true);
    expect(reduce(opened, listed())).toMatchObject({ notice: { kind: "done", action: "keep" } });
  });

  it("that is refused changes nothing, and shows the reason", () => {
    const state = known(started("pause"), refused("pause", problem("SUBSCRIPTION_ON_TRIAL")));
    expect(state).toMatchObject({ running: null, notice: { kind: "refused", action: "pause" }, list: [sample()] });
    expect([needsPolling(state), mayAct(state, "sub_1")]).toEqual([false, true]);
    expect(reduce(state, listed({ status: "trialing" }))).toMatchObject({ notice: { kind: "refused" } });
  });
});

describe("a new card", () => {
  const saved = (): State =>
    play(listed({ overdue }), started("card"), answered("card", { overdue, card_last4: "4444" }));

  it("for an overdue subscription is polled until it has paid", () => {
    expect([needsPolling(saved()), mayAct(saved(), "sub_1")]).toEqual([true, true]);
    const paid = reduce(saved(), listed({ card_last4: "4444" }));
    expect(paid).toMatchObject({ notice: { kind: "done", action: "card" }, list: [{ overdue: null }] });
    expect(needsPolling(paid)).toBe(false);
  });

  it("that does not pay is polled for a limited time", () => {
    const answers = Array.from({ length: 8 }, () => listed({ overdue, card_last4: "4444" }));
    expect(needsPolling(answers.reduce(reduce, saved()))).toBe(false);
  });
});

describe("a broken connection", () => {
  it.each([broken, problem("UNAVAILABLE", 503)])("leaves the outcome of an action open (%j)", (why) => {
    const state = known(started("cancel"), refused("cancel", why));
    expect(state.notice).toMatchObject({ kind: "lost", action: "cancel" });
    expect(state.list[0]?.cancel_at).toBeNull();
    expect([needsPolling(state), mayAct(state, "sub_1")]).toEqual([true, false]);
  });

  const before = { cancel_at: end, paused_until: "2027-01-22T00:00:00Z", overdue };
  it.each<[ActionName, Partial<Subscription>, Partial<Subscription>, "done" | "unseen"]>([
    ["cancel", {}, { cancel_at: end }, "done"],
    ["cancel", {}, { status: "canceled" }, "done"],
    ["cancel", {}, {}, "unseen"],
    ["keep", before, {}, "done"],
    ["keep", before, before, "unseen"],
    ["pause", {}, before, "done"],
    ["pause", {}, {}, "unseen"],
    ["resume", before, {}, "done"],
    ["resume", before, before, "unseen"],
    ["card", {}, { card_last4: "1117" }, "done"],
    ["card", { overdue }, {}, "done"],
    ["card", {}, {}, "unseen"],
    ["plan", {}, { price: 59.99 }, "done"],
    ["plan", {}, {}, "unseen"],
    ["plan", {}, { scheduled_plan: scheduled }, "done"],
    ["plan", { scheduled_plan: scheduled }, { scheduled_plan: scheduled }, "unseen"],
    ["keep_plan", { scheduled_plan: scheduled }, {}, "done"],
    ["keep_plan", { scheduled_plan: scheduled }, { scheduled_plan: scheduled }, "unseen"],
  ])("the next list resolves %s: %j, %j: %s", (action, was, is, kind) => {
    const state = play(listed(was), started(action), refused(action, broken), listed(is));
    expect(state).toMatchObject({ notice: { id: "sub_1", kind, action } });
  });

  it("that stays broken is polled a limited number of times; only an answer allows new actions", () => {
    const gone = Array.from({ length: MAX_UNANSWERED }, (): Event => ({ type: "listFailed", problem: broken }));
    const state = known(started("cancel"), refused("cancel", broken), ...gone);
    expect([isStale(state), mayAct(state, "sub_1")]).toEqual([true, false]);
    const retried = reduce(state, { type: "retried" }) as LoadedState;
    expect([isStale(retried), needsPolling(retried), mayAct(retried, "sub_1")]).toEqual([false, true, false]);
    const back = reduce(retried, listed());
    expect([needsPolling(back), mayAct(back, "sub_1")]).toEqual([false, true]);
  });
});
