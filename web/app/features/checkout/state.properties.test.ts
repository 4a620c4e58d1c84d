import { describe, expect, it } from "vitest";
import { campaign, oneOf, type Random } from "~/features/payment/offer/offer-fixtures";
import { seeded } from "~/lib/random";
import { type CheckoutEvent, type CheckoutState, campaignOf, INITIAL, reduce } from "./state";
import type { YookassaPlatronOffer } from "./yookassa-platron/yookassa-platron";

/** What must hold whatever happens in whatever order. */

const pages = (random: Random, turn: number): YookassaPlatronOffer => ({
  redirectUrl: oneOf(random, [null, `https://pay.example/${turn}`]),
  widgetToken: oneOf(random, [null, `ct-${turn}`]),
  hasSubscription: random() < 0.2,
  isUnreachable: random() < 0.3,
});

/** Any event at all, each with contents of its own, so that a mix-up shows. */
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

/** Many visits, each with its own order of events. Nothing may change a state in place. */
function* everyStep(): Generator<Step> {
  for (let run = 0; run < RUNS; run += 1) {
    const random = seeded(run);
    let before: CheckoutState = frozen({ ...INITIAL });
    for (let turn = 1; turn <= LENGTH; turn += 1) {
      // Half of the time what brings a visit on, or most would end before anything is paid.
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

/** The answers to a payment. Any of them may come late. */
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
/** What the window of a wallet or of PayPal's says, while nothing is agreed to. */
const OF_WINDOW = new Set(["approvalCanceled", "approvalFailed"]);
const OF_WIDGET = new Set(["widgetClosed", "widgetEnded", "widgetPaid"]);
/** Where an answer to a payment, or to its beginnings, is waited for. */
const OPEN = new Set<CheckoutState["step"]>(["creatingIntent", "paying", "pending", "unconfirmed"]);
/** Where money may have moved. */
const BEING_PAID = new Set<CheckoutState["step"]>(["paying", "pending", "unconfirmed"]);

describe("any event in any order", () => {
  const steps = [...everyStep()];
  const all = (holds: (step: Step) => boolean) => expect(steps.find((step) => !holds(step))).toBeUndefined();

  it("is tried from every state", () => {
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

  it("leaves what is paid paid", () => all(({ before, after }) => before.step !== "paid" || after === before));

  it("shows nothing as paid that was not being paid", () =>
    all(({ before, event, after }) => {
      if (after.step !== "paid" || before.step === "paid") return true;
      return BEING_PAID.has(before.step) && event.type === "settled";
    }));

  it("takes a payment's late answers nowhere", () =>
    all(({ before, event, after }) => OPEN.has(before.step) || !OF_PAYMENT.has(event.type) || after === before));

  it("takes what a closed form of a provider still says nowhere", () =>
    all(
      ({ before, event, after }) => before.step === "yookassaWidget" || !OF_WIDGET.has(event.type) || after === before,
    ));

  it("takes what a closed window still says nowhere", () =>
    all(
      ({ before, event, after }) =>
        before.step === "awaitingApproval" || !OF_WINDOW.has(event.type) || after === before,
    ));

  it("opens a window only over a visible offer, and takes nothing else meanwhile", () =>
    all(({ before, event, after }) => {
      if (after.step === "awaitingApproval" && before.step !== "awaitingApproval") return before.step === "ready";
      if (before.step !== "awaitingApproval" || after === before) return true;
      return OF_WINDOW.has(event.type) ? after.step === "ready" : event.type === "submitted" && after.step === "paying";
    }));

  it("does not give a subscription agreed to at PayPal back to the form without an answer", () =>
    all(({ before, event, after }) => {
      if (before.step !== "unconfirmed" || before.payment.kind !== "approval" || after === before) return true;
      return event.type === "settled" || event.type === "refused";
    }));

  it("shows no card form for an offer that Russian providers sell, before it is asked for anew", () =>
    all(({ before, after }) => {
      const isSoldElsewhere =
        before.step === "providerChoice" ||
        before.step === "yookassaWidget" ||
        (before.step === "unconfirmed" && before.payment.kind === "yookassaPlatron");
      return !isSoldElsewhere || !["ready", "paying", "intentUnavailable", "pending"].includes(after.step);
    }));

  it("asks Russian providers again only where none could be reached", () =>
    all(({ before, event, after }) => {
      if (before.step !== "providerChoice" || event.type !== "retried") return true;
      return before.offer.isUnreachable ? after === INITIAL : after === before;
    }));

  it("opens no form without the token it needs", () =>
    all(({ after }) => after.step !== "yookassaWidget" || after.offer.widgetToken !== null));

  it("says that nothing can be sold twice to whoever has a Russian subscription", () =>
    all(({ event, before, after }) => {
      if (event.type !== "providerChoiceLoaded" || after === before || after.step !== "providerChoice") return true;
      return (after.fault?.code === "SB101") === event.offer.hasSubscription;
    }));

  it("takes an offer's late answers nowhere, so no price changes under a visitor's finger", () =>
    all(({ before, event, after }) => before.step === "loading" || !OF_OFFER.has(event.type) || after === before));

  it("charges the price that was on the screen", () =>
    all(({ before, after }) => {
      const from = campaignOf(before);
      const to = campaignOf(after);
      return from === null || to === null || from === to;
    }));

  it("gives the form back only with the reason, and from an open payment only by way of its answer", () =>
    all(({ before, after }) => {
      if (after.step !== "ready" || after === before) return true;
      if (before.step === "loading" || before.step === "creatingIntent") return after.fault === before.fault;
      if (before.step === "awaitingApproval") return true;
      return BEING_PAID.has(before.step) && after.fault !== null;
    }));

  it("sends nobody who waits for the bank anywhere but to the bank", () =>
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
