import { describe, expect, it } from "vitest";
import { campaign, oneOf, type Random } from "~/features/payment/offer/offer-fixtures";
import { seeded } from "~/lib/random";
import { type CheckoutEvent, type CheckoutState, campaignOf, INITIAL, reduce } from "./state";
import type { YookassaPlatronOffer } from "./yookassa-platron/yookassa-platron";

/** Invariants of the checkout reducer under any order of events. */

const pages = (random: Random, turn: number): YookassaPlatronOffer => ({
  redirectUrl: oneOf(random, [null, `https://pay.example/${turn}`]),
  widgetToken: oneOf(random, [null, `ct-${turn}`]),
  hasSubscription: random() < 0.2,
  isUnreachable: random() < 0.3,
});

/** Every event, with distinct contents, so that a mix-up is detected. */
function anyEvent(random: Random, turn: number): CheckoutEvent {
  return oneOf<() => CheckoutEvent>(random, [
    () => ({ type: "campaignLoaded", campaign: campaign(turn) }),
    () => ({ type: "signInRequired", message: `${turn}` }),
    () => ({ type: "therapyMemberDetected", memberHome: `/en/${turn}/` }),
    () => ({ type: "campaignFailed", code: `${turn}` }),
    () => ({ type: "retried" }),
    () => ({ type: "submitted" }),
    () => ({ type: "phaseChanged", phase: oneOf(random, ["card", "order", "bank", "approval", "checking"]) }),
    () => ({ type: "refused", fault: { code: `${turn}`, message: null } }),
    () => ({ type: "offerEnded", fault: { code: `${turn}`, message: null } }),
    () => ({ type: "bankTimedOut", subscriptionId: `sub_${turn}` }),
    () => ({ type: "rechecked" }),
    () => ({ type: "settled" }),
    () => ({ type: "intentOfferLoaded", campaign: campaign(turn) }),
    () => ({ type: "providerChoiceLoaded", campaign: campaign(turn), offer: pages(random, turn) }),
    () => ({ type: "intentCreated" }),
    () => ({ type: "intentFailed", fault: oneOf(random, [null, { code: `${turn}`, message: null }]) }),
    () => ({ type: "intentUnconfirmed", intentId: `pi_${turn}` }),
    () => ({ type: "approvalRequested" }),
    () => ({ type: "approvalCanceled" }),
    () => ({ type: "approvalFailed", fault: { code: `${turn}`, message: null } }),
    () => ({ type: "approvalUnconfirmed", approval: `I-${turn}` }),
    () => ({ type: "approvalRestored", campaign: campaign(turn), approval: `I-${turn}` }),
    () => ({ type: "widgetOpened" }),
    () => ({ type: "widgetClosed" }),
    () => ({ type: "widgetEnded", fault: oneOf(random, [null, { code: `${turn}`, message: null }]) }),
    () => ({ type: "widgetPaid" }),
  ])();
}

function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) frozen(part);
  return Object.freeze(value);
}

interface Step {
  before: CheckoutState;
  event: CheckoutEvent;
  after: CheckoutState;
}

const RUNS = 600;
const LENGTH = 40;

/** Runs many visits with random events. States are never mutated. */
function* everyStep(): Generator<Step> {
  for (let run = 0; run < RUNS; run += 1) {
    const random = seeded(run);
    let before: CheckoutState = frozen({ ...INITIAL });
    for (let turn = 1; turn <= LENGTH; turn += 1) {
      // Half of the events advance the visit; otherwise most visits would end before a payment.
      const onward: CheckoutEvent[] = [
        { type: "campaignLoaded", campaign: campaign(turn) },
        { type: "intentOfferLoaded", campaign: campaign(turn) },
        { type: "providerChoiceLoaded", campaign: campaign(turn), offer: pages(random, turn) },
        { type: "intentCreated" },
        { type: "widgetOpened" },
        { type: "approvalRequested" },
        { type: "submitted" },
        { type: "rechecked" },
        { type: "retried" },
      ];
      const event = frozen(random() < 0.5 ? oneOf(random, onward) : anyEvent(random, turn));
      const after = frozen(reduce(before, event));
      yield { before, event, after };
      before = after;
    }
  }
}

/** Results of a payment. Any of them may come late. */
const OF_PAYMENT = new Set([
  "phaseChanged",
  "refused",
  "offerEnded",
  "bankTimedOut",
  "intentUnconfirmed",
  "approvalUnconfirmed",
  "intentFailed",
  "settled",
]);
const OF_OFFER = new Set([
  "campaignLoaded",
  "intentOfferLoaded",
  "providerChoiceLoaded",
  "approvalRestored",
  "signInRequired",
  "therapyMemberDetected",
  "campaignFailed",
]);
/** Events of a wallet or PayPal window without an approval. */
const OF_WINDOW = new Set(["approvalCanceled", "approvalFailed"]);
const OF_WIDGET = new Set(["widgetClosed", "widgetEnded", "widgetPaid"]);
/** States that wait for a result. */
const OPEN = new Set<CheckoutState["step"]>(["creatingIntent", "paying", "pending", "unconfirmed"]);
/** States in which money may have moved. */
const BEING_PAID = new Set<CheckoutState["step"]>(["paying", "pending", "unconfirmed"]);

describe("any event in any order", () => {
  const steps = [...everyStep()];
  const all = (holds: (step: Step) => boolean) => expect(steps.find((step) => !holds(step))).toBeUndefined();

  it("is tried in every state", () => {
    const seen = new Set(steps.map(({ before }) => before.step));
    const before = [
      "loading",
      "visitor",
      "therapyMember",
      "unavailable",
      "creatingIntent",
      "intentUnavailable",
      "ready",
      "awaitingApproval",
    ];
    for (const step of [...before, "providerChoice", "yookassaWidget", "paying", "pending", "unconfirmed", "paid"])
      expect(seen).toContain(step);
  });

  it("leaves a paid state unchanged", () => all(({ before, after }) => before.step !== "paid" || after === before));

  it("reaches paid only from a running payment", () =>
    all(({ before, event, after }) => {
      if (after.step !== "paid" || before.step === "paid") return true;
      return BEING_PAID.has(before.step) && event.type === "settled";
    }));

  it("ignores late results of a payment", () =>
    all(({ before, event, after }) => OPEN.has(before.step) || !OF_PAYMENT.has(event.type) || after === before));

  it("ignores events of a closed YooKassa widget", () =>
    all(
      ({ before, event, after }) => before.step === "yookassaWidget" || !OF_WIDGET.has(event.type) || after === before,
    ));

  it("ignores events of a closed wallet or PayPal window", () =>
    all(
      ({ before, event, after }) =>
        before.step === "awaitingApproval" || !OF_WINDOW.has(event.type) || after === before,
    ));

  it("opens a window only over a visible offer, and accepts nothing else meanwhile", () =>
    all(({ before, event, after }) => {
      if (after.step === "awaitingApproval" && before.step !== "awaitingApproval") return before.step === "ready";
      if (before.step !== "awaitingApproval" || after === before) return true;
      return OF_WINDOW.has(event.type) ? after.step === "ready" : event.type === "submitted" && after.step === "paying";
    }));

  it("returns an approved PayPal subscription to the form only with a result", () =>
    all(({ before, event, after }) => {
      if (before.step !== "unconfirmed" || before.payment.kind !== "approval" || after === before) return true;
      return event.type === "settled" || event.type === "refused";
    }));

  it("shows no card form for a YooKassa or Platron offer before a reload of the offer", () =>
    all(({ before, after }) => {
      const isSoldElsewhere =
        before.step === "providerChoice" ||
        before.step === "yookassaWidget" ||
        (before.step === "unconfirmed" && before.payment.kind === "yookassaPlatron");
      return !isSoldElsewhere || !["ready", "paying", "intentUnavailable", "pending"].includes(after.step);
    }));

  it("reloads YooKassa and Platron only when neither was reachable", () =>
    all(({ before, event, after }) => {
      if (before.step !== "providerChoice" || event.type !== "retried") return true;
      return before.offer.isUnreachable ? after === INITIAL : after === before;
    }));

  it("opens no widget without its token", () =>
    all(({ after }) => after.step !== "yookassaWidget" || after.offer.widgetToken !== null));

  it("reports the existing subscription to its owner", () =>
    all(({ event, before, after }) => {
      if (event.type !== "providerChoiceLoaded" || after === before || after.step !== "providerChoice") return true;
      return (after.fault?.code === "SB101") === event.offer.hasSubscription;
    }));

  it("ignores late offers, so no price changes before a press", () =>
    all(({ before, event, after }) => before.step === "loading" || !OF_OFFER.has(event.type) || after === before));

  it("charges the price that was shown", () =>
    all(({ before, after }) => {
      const from = campaignOf(before);
      const to = campaignOf(after);
      return from === null || to === null || from === to;
    }));

  it("returns to the form only with a fault, and from an unconfirmed payment only with its result", () =>
    all(({ before, after }) => {
      if (after.step !== "ready" || after === before) return true;
      if (before.step === "loading" || before.step === "creatingIntent") return after.fault === before.fault;
      if (before.step === "awaitingApproval") return true;
      return BEING_PAID.has(before.step) && after.fault !== null;
    }));

  it("keeps a pending payment pending until its result", () =>
    all(({ before, event, after }) => {
      if (before.step !== "pending" || after === before) return true;
      const to = { rechecked: "paying", settled: "paid", refused: "ready" }[event.type as string];
      return to === after.step && campaignOf(after) === before.campaign;
    }));

  it("starts a payment only from a visible offer", () =>
    all(({ before, event, after }) => {
      if (after.step !== "paying" || before.step === "paying") return true;
      const isVisible = before.step === "ready" || before.step === "awaitingApproval";
      return (isVisible && event.type === "submitted") || before.step === "pending";
    }));
});
