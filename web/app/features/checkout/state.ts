import type { Campaign } from "~/features/payment/offer/offer";
import type { Fault } from "~/features/payment/pay/fault";
import type { Phase } from "~/features/payment/pay/phase";
import type { YookassaPlatronOffer } from "./yookassa-platron/yookassa-platron";

/** The state of the subscription checkout. The screen follows from it, and only events change it. */

/** A payment whose result has not arrived. */
export type UnconfirmedPayment =
  | { kind: "intent"; id: string }
  | { kind: "approval"; id: string }
  | { kind: "yookassaPlatron"; offer: YookassaPlatronOffer };

export type CheckoutState =
  /** `fault`: why a visible offer is reloaded. */
  | { step: "loading"; fault: Fault | null }
  | { step: "visitor"; message: string }
  /** A member in therapy, who is sent to their welcome page. */
  | { step: "therapyMember"; memberHome: string }
  | { step: "unavailable"; code: string }
  /** The payment intent is being created. */
  | { step: "creatingIntent"; campaign: Campaign; fault: Fault | null }
  /** The intent could not be created, so nothing can be paid. Without a fault the screen shows no error. */
  | { step: "intentUnavailable"; campaign: Campaign; fault: Fault | null }
  | { step: "ready"; campaign: Campaign; fault: Fault | null }
  /** The window of a wallet or PayPal is open. */
  | { step: "awaitingApproval"; campaign: Campaign }
  | { step: "paying"; campaign: Campaign; phase: Phase }
  /** The bank has not decided. The order will be settled without this page. */
  | { step: "pending"; campaign: Campaign; subscriptionId: string }
  /** Cards are taken by YooKassa and Platron, on their page or in a widget. */
  | { step: "providerChoice"; campaign: Campaign; offer: YookassaPlatronOffer; fault: Fault | null }
  | { step: "yookassaWidget"; campaign: Campaign; offer: YookassaPlatronOffer }
  /** Like `pending`, for a payment that is no subscription of ours yet. */
  | { step: "unconfirmed"; campaign: Campaign; payment: UnconfirmedPayment }
  | { step: "paid"; campaign: Campaign };

export type CheckoutEvent =
  | { type: "campaignLoaded"; campaign: Campaign }
  | { type: "intentOfferLoaded"; campaign: Campaign }
  | { type: "providerChoiceLoaded"; campaign: Campaign; offer: YookassaPlatronOffer }
  /** An approval made before a reload, still without a result. */
  | { type: "approvalRestored"; campaign: Campaign; approval: string }
  | { type: "signInRequired"; message: string }
  | { type: "therapyMemberDetected"; memberHome: string }
  | { type: "campaignFailed"; code: string }
  | { type: "retried" }
  | { type: "intentCreated" }
  | { type: "intentFailed"; fault: Fault | null }
  | { type: "submitted" }
  | { type: "phaseChanged"; phase: Phase }
  | { type: "refused"; fault: Fault }
  /** The offer has ended: nothing can be paid before the new one is shown. */
  | { type: "offerEnded"; fault: Fault }
  | { type: "bankTimedOut"; subscriptionId: string }
  | { type: "intentUnconfirmed"; intentId: string }
  | { type: "approvalRequested" }
  /** The buyer closed the window without an approval. */
  | { type: "approvalCanceled" }
  | { type: "approvalFailed"; fault: Fault }
  /** The approval has no result yet. */
  | { type: "approvalUnconfirmed"; approval: string }
  | { type: "widgetOpened" }
  /** The buyer closed the widget without paying. */
  | { type: "widgetClosed" }
  /** The widget ended without a payment: the offer must be reloaded. */
  | { type: "widgetEnded"; fault: Fault | null }
  | { type: "widgetPaid" }
  | { type: "rechecked" }
  | { type: "settled" };

export const INITIAL: CheckoutState = { step: "loading", fault: null };

/** An event that does not fit the step is ignored, so late answers are harmless. */
export function reduce(state: CheckoutState, event: CheckoutEvent): CheckoutState {
  switch (state.step) {
    case "loading":
      return whileLoading(state, event);
    case "unavailable":
      return event.type === "retried" ? INITIAL : state;
    case "creatingIntent":
      return whileCreatingIntent(state, event);
    case "intentUnavailable":
      return event.type === "retried" ? { step: "creatingIntent", campaign: state.campaign, fault: null } : state;
    case "ready":
      return whileReady(state, event);
    case "awaitingApproval":
      return whileAwaitingApproval(state, event);
    case "paying":
      return whilePaying(state, event);
    case "pending":
      if (event.type === "rechecked") return { step: "paying", campaign: state.campaign, phase: "checking" };
      return whileUnconfirmed(state, event);
    case "unconfirmed":
      return whileUnconfirmed(state, event);
    case "providerChoice":
      return whileChoosingProvider(state, event);
    case "yookassaWidget":
      return whileYookassaWidget(state, event);
    case "visitor":
    case "therapyMember":
    case "paid":
      return state;
  }
}

function whileLoading(state: Extract<CheckoutState, { step: "loading" }>, event: CheckoutEvent): CheckoutState {
  switch (event.type) {
    case "campaignLoaded":
      return { step: "ready", campaign: event.campaign, fault: state.fault };
    case "intentOfferLoaded":
      return { step: "creatingIntent", campaign: event.campaign, fault: state.fault };
    case "providerChoiceLoaded":
      return {
        step: "providerChoice",
        campaign: event.campaign,
        offer: event.offer,
        fault: existingSubscriptionFault(event.offer) ?? state.fault,
      };
    case "approvalRestored":
      return unconfirmedApproval(event.campaign, event.approval);
    case "signInRequired":
      return { step: "visitor", message: event.message };
    case "therapyMemberDetected":
      return { step: "therapyMember", memberHome: event.memberHome };
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
    case "approvalRequested":
      return { step: "awaitingApproval", campaign: state.campaign };
    default:
      return state;
  }
}

function whileAwaitingApproval(
  state: Extract<CheckoutState, { step: "awaitingApproval" }>,
  event: CheckoutEvent,
): CheckoutState {
  switch (event.type) {
    case "submitted":
      return { step: "paying", campaign: state.campaign, phase: "card" };
    case "approvalCanceled":
      return { step: "ready", campaign: state.campaign, fault: null };
    case "approvalFailed":
      return { step: "ready", campaign: state.campaign, fault: event.fault };
    default:
      return state;
  }
}

function whilePaying(state: Extract<CheckoutState, { step: "paying" }>, event: CheckoutEvent): CheckoutState {
  switch (event.type) {
    case "phaseChanged":
      return { ...state, phase: event.phase };
    case "refused":
      return { step: "ready", campaign: state.campaign, fault: event.fault };
    case "offerEnded":
      return { step: "loading", fault: event.fault };
    case "bankTimedOut":
      return { step: "pending", campaign: state.campaign, subscriptionId: event.subscriptionId };
    case "intentUnconfirmed":
      return unconfirmedIntent(state.campaign, event.intentId);
    case "approvalUnconfirmed":
      return unconfirmedApproval(state.campaign, event.approval);
    case "intentFailed":
      return { step: "intentUnavailable", campaign: state.campaign, fault: event.fault };
    case "settled":
      return { step: "paid", campaign: state.campaign };
    default:
      return state;
  }
}

function whileCreatingIntent(
  state: Extract<CheckoutState, { step: "creatingIntent" }>,
  event: CheckoutEvent,
): CheckoutState {
  switch (event.type) {
    case "intentCreated":
      return { step: "ready", campaign: state.campaign, fault: state.fault };
    case "intentFailed":
      return { step: "intentUnavailable", campaign: state.campaign, fault: event.fault };
    case "offerEnded":
      return { step: "loading", fault: event.fault };
    // Another tab paid the intent, or this page did before a reload.
    case "intentUnconfirmed":
      return unconfirmedIntent(state.campaign, event.intentId);
    default:
      return state;
  }
}

function unconfirmedIntent(campaign: Campaign, id: string): CheckoutState {
  return { step: "unconfirmed", campaign, payment: { kind: "intent", id } };
}

function unconfirmedApproval(campaign: Campaign, id: string): CheckoutState {
  return { step: "unconfirmed", campaign, payment: { kind: "approval", id } };
}

type Unconfirmed = Extract<CheckoutState, { step: "pending" | "unconfirmed" }>;

/** The result may come late, from polling. */
function whileUnconfirmed(state: Unconfirmed, event: CheckoutEvent): CheckoutState {
  switch (event.type) {
    case "settled":
      return { step: "paid", campaign: state.campaign };
    case "refused":
      return afterRefusal(state, event.fault);
    default:
      return state;
  }
}

function afterRefusal(state: Unconfirmed, fault: Fault): CheckoutState {
  const { campaign } = state;
  if (state.step === "pending" || state.payment.kind !== "yookassaPlatron") return { step: "ready", campaign, fault };
  return { step: "providerChoice", campaign, offer: state.payment.offer, fault };
}

function whileChoosingProvider(
  state: Extract<CheckoutState, { step: "providerChoice" }>,
  event: CheckoutEvent,
): CheckoutState {
  const { campaign, offer } = state;
  if (event.type === "retried" && offer.isUnreachable) return INITIAL;
  if (event.type === "widgetOpened" && offer.widgetToken) return { step: "yookassaWidget", campaign, offer };
  return state;
}

function whileYookassaWidget(
  state: Extract<CheckoutState, { step: "yookassaWidget" }>,
  event: CheckoutEvent,
): CheckoutState {
  const { campaign, offer } = state;
  switch (event.type) {
    case "widgetClosed":
      return { step: "providerChoice", campaign, offer, fault: null };
    case "widgetEnded":
      return { step: "loading", fault: event.fault };
    case "widgetPaid":
      return { step: "unconfirmed", campaign, payment: { kind: "yookassaPlatron", offer } };
    default:
      return state;
  }
}

/** A member with a YooKassa subscription cannot buy another one. */
function existingSubscriptionFault({ hasSubscription }: YookassaPlatronOffer): Fault | null {
  return hasSubscription ? { code: "SB101", message: null } : null;
}

/** The offer, in every state that has one. */
export function campaignOf(state: CheckoutState): Campaign | null {
  return "campaign" in state ? state.campaign : null;
}
