import type { Campaign } from "~/features/payment/offer/offer";
import type { Fault } from "~/features/payment/pay/fault";
import type { Phase } from "~/features/payment/pay/phase";
import type { RussianPages } from "./yookassa-platron/yookassa-platron";

/** Checkout as a value: what is on the screen follows from it, and only events change it. */

/** A payment made, of which our side has not heard yet. */
export type Unheard =
  | { kind: "intent"; id: string }
  | { kind: "approval"; id: string }
  | { kind: "pages"; pages: RussianPages };

export type CheckoutState =
  /** `fault` says why a visible offer is asked for again. */
  | { step: "loading"; fault: Fault | null }
  | { step: "visitor"; message: string }
  /** Somebody in therapy: their place is their welcome page. */
  | { step: "inTherapy"; place: string }
  | { step: "unavailable"; code: string }
  /** What is to be paid directly is being made ready at the provider. */
  | { step: "opening"; campaign: Campaign; fault: Fault | null }
  /** It could not be: the form is there, and nothing can be paid. Without a fault nothing is said of it. */
  | { step: "blocked"; campaign: Campaign; fault: Fault | null }
  | { step: "ready"; campaign: Campaign; fault: Fault | null }
  /** Somebody decides in the window of a wallet, or of PayPal's. */
  | { step: "approving"; campaign: Campaign }
  | { step: "paying"; campaign: Campaign; phase: Phase }
  /** The bank has not answered yet: the order will be settled without this page. */
  | { step: "pending"; campaign: Campaign; subscriptionId: string }
  /** No card is taken here: Russian providers do, on their pages or in a form of theirs. */
  | { step: "elsewhere"; campaign: Campaign; pages: RussianPages; fault: Fault | null }
  | { step: "inWidget"; campaign: Campaign; pages: RussianPages }
  /** As pending, of what is no subscription of ours yet. */
  | { step: "unheard"; campaign: Campaign; payment: Unheard }
  | { step: "paid"; campaign: Campaign };

export type CheckoutEvent =
  | { type: "campaignLoaded"; campaign: Campaign }
  | { type: "directOfferLoaded"; campaign: Campaign }
  | { type: "russianOfferLoaded"; campaign: Campaign; pages: RussianPages }
  /** Made at PayPal before this page was loaded anew, and not answered since. */
  | { type: "approvalFound"; campaign: Campaign; approval: string }
  | { type: "visitorSeen"; message: string }
  | { type: "therapyMemberSeen"; place: string }
  | { type: "campaignFailed"; code: string }
  | { type: "retried" }
  | { type: "intentOpened" }
  | { type: "intentFailed"; fault: Fault | null }
  | { type: "submitted" }
  | { type: "advanced"; phase: Phase }
  | { type: "refused"; fault: Fault }
  /** The offer on the screen holds no longer: nothing can be paid before the new one is seen. */
  | { type: "offerEnded"; fault: Fault }
  | { type: "bankSilent"; subscriptionId: string }
  | { type: "intentSilent"; intentId: string }
  | { type: "approvalAsked" }
  /** Nothing was agreed to. */
  | { type: "approvalLeft" }
  | { type: "approvalFailed"; fault: Fault }
  /** It was agreed to, and nobody tells what came of it. */
  | { type: "approvalSilent"; approval: string }
  | { type: "widgetOpened" }
  /** Nothing was paid in it. */
  | { type: "widgetClosed" }
  /** It is over without a payment: what is offered now has to be asked for. */
  | { type: "widgetEnded"; fault: Fault | null }
  | { type: "widgetPaid" }
  | { type: "rechecked" }
  | { type: "settled" };

export const INITIAL: CheckoutState = { step: "loading", fault: null };

/** An event that does not belong to the present step changes nothing: late answers are harmless. */
export function reduce(state: CheckoutState, event: CheckoutEvent): CheckoutState {
  switch (state.step) {
    case "loading":
      return whileLoading(state, event);
    case "unavailable":
      return event.type === "retried" ? INITIAL : state;
    case "opening":
      return whileOpening(state, event);
    case "blocked":
      return event.type === "retried" ? { step: "opening", campaign: state.campaign, fault: null } : state;
    case "ready":
      return whileReady(state, event);
    case "approving":
      return whileApproving(state, event);
    case "paying":
      return whilePaying(state, event);
    case "pending":
      if (event.type === "rechecked") return { step: "paying", campaign: state.campaign, phase: "checking" };
      return whileWaiting(state, event);
    case "unheard":
      return whileWaiting(state, event);
    case "elsewhere":
      return whileElsewhere(state, event);
    case "inWidget":
      return whileInWidget(state, event);
    case "visitor":
    case "inTherapy":
    case "paid":
      return state;
  }
}

function whileLoading(state: Extract<CheckoutState, { step: "loading" }>, event: CheckoutEvent): CheckoutState {
  switch (event.type) {
    case "campaignLoaded":
      return { step: "ready", campaign: event.campaign, fault: state.fault };
    case "directOfferLoaded":
      return { step: "opening", campaign: event.campaign, fault: state.fault };
    case "russianOfferLoaded":
      return {
        step: "elsewhere",
        campaign: event.campaign,
        pages: event.pages,
        fault: standing(event.pages) ?? state.fault,
      };
    case "approvalFound":
      return unheardApproval(event.campaign, event.approval);
    case "visitorSeen":
      return { step: "visitor", message: event.message };
    case "therapyMemberSeen":
      return { step: "inTherapy", place: event.place };
    case "campaignFailed":
      return { step: "unavailable", code: event.code };
    default:
      return state;
  }
}

function whileReady(state: Extract<CheckoutState, { step: "ready" }>, event: CheckoutEvent): CheckoutState {
  switch (event.type) {
    case "submitted":
      return { step: "paying", campaign: state.campaign, phase: "card" };
    case "approvalAsked":
      return { step: "approving", campaign: state.campaign };
    default:
      return state;
  }
}

function whileApproving(state: Extract<CheckoutState, { step: "approving" }>, event: CheckoutEvent): CheckoutState {
  switch (event.type) {
    case "submitted":
      return { step: "paying", campaign: state.campaign, phase: "card" };
    case "approvalLeft":
      return { step: "ready", campaign: state.campaign, fault: null };
    case "approvalFailed":
      return { step: "ready", campaign: state.campaign, fault: event.fault };
    default:
      return state;
  }
}

function whilePaying(state: Extract<CheckoutState, { step: "paying" }>, event: CheckoutEvent): CheckoutState {
  switch (event.type) {
    case "advanced":
      return { ...state, phase: event.phase };
    case "refused":
      return { step: "ready", campaign: state.campaign, fault: event.fault };
    case "offerEnded":
      return { step: "loading", fault: event.fault };
    case "bankSilent":
      return { step: "pending", campaign: state.campaign, subscriptionId: event.subscriptionId };
    case "intentSilent":
      return unheardIntent(state.campaign, event.intentId);
    case "approvalSilent":
      return unheardApproval(state.campaign, event.approval);
    case "intentFailed":
      return { step: "blocked", campaign: state.campaign, fault: event.fault };
    case "settled":
      return { step: "paid", campaign: state.campaign };
    default:
      return state;
  }
}

function whileOpening(state: Extract<CheckoutState, { step: "opening" }>, event: CheckoutEvent): CheckoutState {
  switch (event.type) {
    case "intentOpened":
      return { step: "ready", campaign: state.campaign, fault: state.fault };
    case "intentFailed":
      return { step: "blocked", campaign: state.campaign, fault: event.fault };
    case "offerEnded":
      return { step: "loading", fault: event.fault };
    // Another tab paid it, or this page before it was loaded anew.
    case "intentSilent":
      return unheardIntent(state.campaign, event.intentId);
    default:
      return state;
  }
}

function unheardIntent(campaign: Campaign, id: string): CheckoutState {
  return { step: "unheard", campaign, payment: { kind: "intent", id } };
}

function unheardApproval(campaign: Campaign, id: string): CheckoutState {
  return { step: "unheard", campaign, payment: { kind: "approval", id } };
}

type Waiting = Extract<CheckoutState, { step: "pending" | "unheard" }>;

/** The answer may come late, and by itself. */
function whileWaiting(state: Waiting, event: CheckoutEvent): CheckoutState {
  switch (event.type) {
    case "settled":
      return { step: "paid", campaign: state.campaign };
    case "refused":
      return afterRefusal(state, event.fault);
    default:
      return state;
  }
}

function afterRefusal(state: Waiting, fault: Fault): CheckoutState {
  const { campaign } = state;
  if (state.step === "pending" || state.payment.kind !== "pages") return { step: "ready", campaign, fault };
  return { step: "elsewhere", campaign, pages: state.payment.pages, fault };
}

function whileElsewhere(state: Extract<CheckoutState, { step: "elsewhere" }>, event: CheckoutEvent): CheckoutState {
  const { campaign, pages } = state;
  if (event.type === "retried" && pages.isOutOfReach) return INITIAL;
  if (event.type === "widgetOpened" && pages.widgetToken) return { step: "inWidget", campaign, pages };
  return state;
}

function whileInWidget(state: Extract<CheckoutState, { step: "inWidget" }>, event: CheckoutEvent): CheckoutState {
  const { campaign, pages } = state;
  switch (event.type) {
    case "widgetClosed":
      return { step: "elsewhere", campaign, pages, fault: null };
    case "widgetEnded":
      return { step: "loading", fault: event.fault };
    case "widgetPaid":
      return { step: "unheard", campaign, payment: { kind: "pages", pages } };
    default:
      return state;
  }
}

/** Whoever has a Russian subscription is not sold another one. */
function standing({ hasSubscription }: RussianPages): Fault | null {
  return hasSubscription ? { code: "SB101", message: null } : null;
}

/** The offer once it is known, whatever happens to it. */
export function campaignOf(state: CheckoutState): Campaign | null {
  return "campaign" in state ? state.campaign : null;
}
