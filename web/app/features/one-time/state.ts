import type { Campaign } from "~/features/payment/offer/offer";
import type { Fault } from "~/features/payment/pay/fault";
import type { Phase } from "~/features/payment/pay/phase";
import type { PaymentAttempt } from "./pay/pay-one-time";

/** The checkout of what is paid once, as a value: what is on the screen follows from it, and only events change it. */

export interface Offer {
  campaign: Campaign;
  /** Of the card a member has left; null: one is asked for. */
  last4: string | null;
}

export type OneTimeState =
  /** `before` is the offer that has ended: its form stays while the new price is asked for. */
  | { step: "loading"; fault: Fault | null; before: Offer | null }
  | { step: "visitor"; message: string }
  | { step: "unavailable"; code: string }
  /** `attempt` was opened and not paid: another card pays the same. */
  | { step: "ready"; offer: Offer; fault: Fault | null; attempt: PaymentAttempt | null }
  | { step: "paying"; offer: Offer; phase: Phase }
  /** Nobody knows whether our server opened it: nothing but the very same may be sent. */
  | { step: "mustResend"; offer: Offer; attempt: PaymentAttempt }
  /** Nobody knows whether it was paid: nothing may be sent, only asked. */
  | { step: "pending"; offer: Offer; attempt: PaymentAttempt }
  | { step: "paid"; offer: Offer };

/** How a payment ended, as far as this page can tell. */
export type OneTimeOutcome =
  | { type: "settled" }
  | { type: "refused"; fault: Fault; attempt: PaymentAttempt | null }
  | { type: "unanswered"; attempt: PaymentAttempt }
  | { type: "undecided"; attempt: PaymentAttempt }
  /** The offer on the screen holds no longer: nothing can be paid before the new one is seen. */
  | { type: "offerEnded"; fault: Fault };

export type OneTimeEvent =
  | { type: "offerLoaded"; offer: Offer }
  | { type: "signInRequired"; message: string }
  | { type: "offerFailed"; code: string }
  | { type: "retried" }
  | { type: "submitted" }
  | { type: "rechecked" }
  | { type: "phaseChanged"; phase: Phase }
  /** A card is typed instead of the one kept, or the other way round: what was opened for that one is left to itself. */
  | { type: "cardChosen" }
  | OneTimeOutcome;

export const INITIAL: OneTimeState = { step: "loading", fault: null, before: null };

/** An event that does not belong to the present step changes nothing: late answers are harmless. */
export function reduce(state: OneTimeState, event: OneTimeEvent): OneTimeState {
  switch (state.step) {
    case "loading":
      return whileLoading(state, event);
    case "unavailable":
      return event.type === "retried" ? INITIAL : state;
    case "ready":
      if (event.type === "cardChosen") return { ...state, fault: null, attempt: null };
      return event.type === "submitted" ? { step: "paying", offer: state.offer, phase: "card" } : state;
    case "mustResend":
      return event.type === "submitted" ? { step: "paying", offer: state.offer, phase: "card" } : state;
    case "pending":
      return event.type === "rechecked" ? { step: "paying", offer: state.offer, phase: "checking" } : state;
    case "paying":
      return whilePaying(state, event);
    case "visitor":
    case "paid":
      return state;
  }
}

type Loading = Extract<OneTimeState, { step: "loading" }>;
type Paying = Extract<OneTimeState, { step: "paying" }>;

function whileLoading(state: Loading, event: OneTimeEvent): OneTimeState {
  switch (event.type) {
    case "offerLoaded":
      return { step: "ready", offer: event.offer, fault: state.fault, attempt: null };
    case "signInRequired":
      return { step: "visitor", message: event.message };
    case "offerFailed":
      return { step: "unavailable", code: event.code };
    default:
      return state;
  }
}

function whilePaying({ offer, ...state }: Paying, event: OneTimeEvent): OneTimeState {
  switch (event.type) {
    case "phaseChanged":
      return { ...state, offer, phase: event.phase };
    case "refused":
      return { step: "ready", offer, fault: event.fault, attempt: event.attempt };
    case "unanswered":
      return { step: "mustResend", offer, attempt: event.attempt };
    case "undecided":
      return { step: "pending", offer, attempt: event.attempt };
    case "offerEnded":
      return { step: "loading", fault: event.fault, before: offer };
    case "settled":
      return { step: "paid", offer };
    default:
      return { ...state, offer };
  }
}

/** The offer as long as its form is on the screen. */
export function offerOf(state: OneTimeState): Offer | null {
  if (state.step === "loading") return state.before;
  return "offer" in state ? state.offer : null;
}

/** What was sent before and is sent again unchanged. */
export function attemptOf(state: OneTimeState): PaymentAttempt | null {
  return "attempt" in state ? state.attempt : null;
}
