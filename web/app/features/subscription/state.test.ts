import { describe, expect, it } from "vitest";
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import type { Subscription, WishName } from "./api";
import { overdue, sample, scheduled } from "./sample";
import { type Event, INITIAL, isStale, isWaiting, type Known, mayWish, PATIENCE, reduce, type State } from "./state";

const problem = (code: string, status = 409): Problem => ({
  code,
  status,
  detail: "",
  errors: [],
  retryAfterSecs: null,
});
const broken = problem(NETWORK_FAILURE, 0);
const play = (...events: Event[]): State => events.reduce(reduce, INITIAL);
const known = (...events: Event[]): Known => {
  const state = play({ type: "listed", list: [sample()] }, ...events);
  if (state.at !== "known") throw new Error(`It is ${state.at}`);
  return state;
};
const wished = (wish: WishName): Event => ({ type: "wished", id: "sub_1", wish });
const refused = (wish: WishName, why: Problem): Event => ({ type: "refused", id: "sub_1", wish, problem: why });
const listed = (change: Partial<Subscription> = {}): Event => ({ type: "listed", list: [sample(change)] });
const answered = (wish: WishName, change: Partial<Subscription>): Event => ({
  type: "answered",
  subscription: sample(change),
  wish,
});
const end = "2026-12-10T12:00:00Z";

describe("before anything is known", () => {
  it("loads, and what fails can be tried again", () => {
    expect(play({ type: "listFailed", problem: broken })).toEqual({ at: "failed", problem: broken });
    expect(play({ type: "listFailed", problem: broken }, { type: "retried" })).toEqual(INITIAL);
    expect(known().list).toEqual([sample()]);
  });
});

describe("a wish", () => {
  it("keeps others from being wished until it is answered, and its answer is how it stands", () => {
    const sent = known(wished("cancel"));
    expect(sent.doing).toEqual({ id: "sub_1", wish: "cancel" });
    expect(sent.list[0]?.cancel_at).toBeNull();
    expect(mayWish(sent, "sub_1")).toBe(false);
    const done = reduce(sent, answered("cancel", { cancel_at: end }));
    expect(done).toMatchObject({ doing: null, said: { kind: "done", wish: "cancel" }, list: [{ cancel_at: end }] });
    expect(mayWish(done, "sub_1")).toBe(true);
  });

  it("that the provider has not answered is waited for, and nothing else is wished meanwhile", () => {
    const open = known(wished("cancel"), answered("cancel", { pending_change: "cancel" }));
    expect(open.said).toMatchObject({ kind: "open", wish: "cancel" });
    expect([isWaiting(open), mayWish(open, "sub_1")]).toEqual([true, false]);
    const done = reduce(open, listed({ cancel_at: end }));
    expect(done).toMatchObject({ said: { kind: "done", wish: "cancel" } });
    expect(isWaiting(done)).toBe(false);
    expect(reduce(open, listed())).toMatchObject({ said: { kind: "unseen", wish: "cancel" } });
    expect(reduce(open, { type: "listed", list: [] })).toMatchObject({ said: { kind: "unseen" } });
  });

  it("that was open when the page came is told of, too", () => {
    const opened = play(listed({ pending_change: "keep", cancel_at: end }));
    expect(isWaiting(opened)).toBe(true);
    expect(reduce(opened, listed())).toMatchObject({ said: { kind: "done", wish: "keep" } });
  });

  it("that is refused changes nothing, and says why", () => {
    const state = known(wished("pause"), refused("pause", problem("SUBSCRIPTION_ON_TRIAL")));
    expect(state).toMatchObject({ doing: null, said: { kind: "refused", wish: "pause" }, list: [sample()] });
    expect([isWaiting(state), mayWish(state, "sub_1")]).toEqual([false, true]);
    expect(reduce(state, listed({ status: "trialing" }))).toMatchObject({ said: { kind: "refused" } });
  });
});

describe("a new card", () => {
  const saved = (): State =>
    play(listed({ overdue }), wished("card"), answered("card", { overdue, card_last4: "4444" }));

  it("for what is overdue is looked after until it has paid", () => {
    expect([isWaiting(saved()), mayWish(saved(), "sub_1")]).toEqual([true, true]);
    const paid = reduce(saved(), listed({ card_last4: "4444" }));
    expect(paid).toMatchObject({ said: { kind: "done", wish: "card" }, list: [{ overdue: null }] });
    expect(isWaiting(paid)).toBe(false);
  });

  it("that does not pay is not asked about for ever", () => {
    const answers = Array.from({ length: 8 }, () => listed({ overdue, card_last4: "4444" }));
    expect(isWaiting(answers.reduce(reduce, saved()))).toBe(false);
  });
});

describe("a connection that breaks", () => {
  it.each([broken, problem("UNAVAILABLE", 503)])("leaves open what became of a wish (%j)", (why) => {
    const state = known(wished("cancel"), refused("cancel", why));
    expect(state.said).toMatchObject({ kind: "lost", wish: "cancel" });
    expect(state.list[0]?.cancel_at).toBeNull();
    expect([isWaiting(state), mayWish(state, "sub_1")]).toEqual([true, false]);
  });

  const before = { cancel_at: end, paused_until: "2027-01-22T00:00:00Z", overdue };
  it.each<[WishName, Partial<Subscription>, Partial<Subscription>, "done" | "unseen"]>([
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
  ])("the next list tells of %s: %j, %j: %s", (wish, was, is, kind) => {
    const state = play(listed(was), wished(wish), refused(wish, broken), listed(is));
    expect(state).toMatchObject({ said: { id: "sub_1", kind, wish } });
  });

  it("and stays broken is asked about until patience ends; only an answer lets anybody wish again", () => {
    const gone = Array.from({ length: PATIENCE }, (): Event => ({ type: "listFailed", problem: broken }));
    const state = known(wished("cancel"), refused("cancel", broken), ...gone);
    expect([isStale(state), mayWish(state, "sub_1")]).toEqual([true, false]);
    const retried = reduce(state, { type: "retried" }) as Known;
    expect([isStale(retried), isWaiting(retried), mayWish(retried, "sub_1")]).toEqual([false, true, false]);
    const back = reduce(retried, listed());
    expect([isWaiting(back), mayWish(back, "sub_1")]).toEqual([false, true]);
  });
});
