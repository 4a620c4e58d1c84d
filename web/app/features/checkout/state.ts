import type { Campaign } from "./offer";

/** Checkout as a value: what is on the screen follows from it, and only events change it. */

/** Why nothing was charged. `message` is the provider's own sentence, shown as it is. */
export interface Fault {
  code: string;
  message: string | null;
}

/** What is being waited for while a payment is under way. */
export type Phase = "card" | "order" | "bank" | "checking";

export type CheckoutState =
  /** `fault` says why a visible offer is asked for again. */
  | { step: "loading"; fault: Fault | null }
  | { step: "visitor"; message: string }
  /** Somebody in therapy: their place is their welcome page. */
  | { step: "inTherapy"; place: string }
  | { step: "unavailable"; code: string }
  | { step: "ready"; campaign: Campaign; fault: Fault | null }
  | { step: "paying"; campaign: Campaign; phase: Phase }
  /** The bank has not answered yet: the order will be settled without this page. */
  | { step: "pending"; campaign: Campaign; subscriptionId: string }
  | { step: "paid"; campaign: Campaign };

export type CheckoutEvent =
  | { type: "campaignLoaded"; campaign: Campaign }
  | { type: "visitorSeen"; message: string }
  | { type: "therapyMemberSeen"; place: string }
  | { type: "campaignFailed"; code: string }
  | { type: "retried" }
  | { type: "submitted" }
  | { type: "advanced"; phase: Phase }
  | { type: "refused"; fault: Fault }
  /** The offer on the screen holds no longer: nothing can be paid before the new one is seen. */
  | { type: "offerEnded"; fault: Fault }
  | { type: "bankSilent"; subscriptionId: string }
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
    case "ready":
      return event.type === "submitted" ? { step: "paying", campaign: state.campaign, phase: "card" } : state;
    case "paying":
      return whilePaying(state, event);
    case "pending":
      if (event.type === "rechecked") return { step: "paying", campaign: state.campaign, phase: "checking" };
      return state;
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
    case "settled":
      return { step: "paid", campaign: state.campaign };
    default:
      return state;
  }
}

/** The offer once it is known, whatever happens to it. */
export function campaignOf(state: CheckoutState): Campaign | null {
  return "campaign" in state ? state.campaign : null;
}
