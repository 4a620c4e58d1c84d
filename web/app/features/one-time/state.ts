import type { Campaign } from "~/features/payment/offer/offer";
import type { Fault } from "~/features/payment/pay/fault";
import type { Phase } from "~/features/payment/pay/phase";
import type { PaymentAttempt } from "./pay/pay-one-time";

/** The state of the one-time checkout. The screen follows from it, and only events change it. */

export interface Offer {
  campaign: Campaign;
  /** Of the member's saved card; null: none. */
  last4: string | null;
}

export type OneTimeState =
  /** `before`: the ended offer, whose form stays while the new price loads. */
  | { step: "loading"; fault: Fault | null; before: Offer | null }
  | { step: "visitor"; message: string }
  | { step: "unavailable"; code: string }
  /** `attempt`: created and unpaid; another card pays the same intent. */
  | { step: "ready"; offer: Offer; fault: Fault | null; attempt: PaymentAttempt | null }
  | { step: "paying"; offer: Offer; phase: Phase }
  /** Our server may have created the intent: only the same attempt may be sent. */
  | { step: "mustResend"; offer: Offer; attempt: PaymentAttempt }
  /** The payment is undecided: nothing may be sent, only rechecked. */
  | { step: "pending"; offer: Offer; attempt: PaymentAttempt }
  | { step: "paid"; offer: Offer };

/** The outcome of a payment, as known to the page. */
export type OneTimeOutcome =
  | { type: "settled" }
  | { type: "refused"; fault: Fault; attempt: PaymentAttempt | null }
  | { type: "unanswered"; attempt: PaymentAttempt }
  | { type: "undecided"; attempt: PaymentAttempt }
  /** The offer has ended: nothing can be paid before the new one is shown. */
  | { type: "offerEnded"; fault: Fault };

export type OneTimeEvent =
  | { type: "offerLoaded"; offer: Offer }
  | { type: "signInRequired"; message: string }
  | { type: "offerFailed"; code: string }
  | { type: "retried" }
  | { type: "submitted" }
  | { type: "rechecked" }
  | { type: "phaseChanged"; phase: Phase }
  /** The buyer switched between the saved and a typed card: the created intent is abandoned. */
  | { type: "cardChosen" }
  | OneTimeOutcome;

export const INITIAL: OneTimeState = { step: "loading", fault: null, before: null };

/** An event that does not fit the step is ignored, so late answers are harmless. */
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

/** The offer while its form is shown. */
export function offerOf(state: OneTimeState): Offer | null {
  if (state.step === "loading") return state.before;
  return "offer" in state ? state.offer : null;
}

/** The attempt that is resent unchanged. */
export function attemptOf(state: OneTimeState): PaymentAttempt | null {
  return "attempt" in state ? state.attempt : null;
}
