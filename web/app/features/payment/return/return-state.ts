import type { PaymentVerdict, ReturnQuery } from "~/lib/payment/payment-return";

/**
 * The state of a return from a provider. Anyone can write the URL, so only our server's response decides what is claimed
 * about the payment.
 */

/** The provider's status through our server; `unknown`: no such payment. */
export type ProviderStatus = "paid" | "open" | "expired" | "unknown";

export type ReturnState =
  | { step: "paid" }
  /** The provider has closed the payment unpaid. */
  | { step: "failed"; retryUrl: string | null }
  /** The URL reports a failure, and the payment is still open at the provider. */
  | { step: "declined"; retryUrl: string | null }
  /** The URL reports a failure, and our server has no such payment. */
  | { step: "unconfirmed"; retryUrl: string | null }
  /** The first request is under way. */
  | { step: "asking" }
  /** Our server did not respond; it is polled. */
  | { step: "unanswered" }
  /** The bank has not decided. */
  | { step: "checking" }
  /** Neither the URL nor our server has a payment. */
  | { step: "unknown" };

export type ReturnEvent =
  | { type: "statusReceived"; status: ProviderStatus }
  | { type: "noResponse" }
  | { type: "retryFound"; url: string };

export function initialState({ isReturn }: ReturnQuery): ReturnState {
  return { step: isReturn ? "asking" : "unknown" };
}

export function reduce(state: ReturnState, event: ReturnEvent, verdict: PaymentVerdict): ReturnState {
  switch (event.type) {
    case "retryFound":
      return "retryUrl" in state ? { ...state, retryUrl: event.url } : state;
    case "noResponse":
      return state.step === "asking" ? { step: "unanswered" } : state;
    case "statusReceived":
      return state.step === "unknown" ? state : afterStatus(state, event.status, verdict === "failed");
  }
}

function afterStatus(state: ReturnState, status: ProviderStatus, hasFailureCode: boolean): ReturnState {
  switch (status) {
    case "paid":
      return { step: "paid" };
    case "expired":
      return withoutPayment(state, "failed");
    // A failed payment stays open at the provider, where it can be retried.
    case "open":
      return hasFailureCode ? withoutPayment(state, "declined") : { step: "checking" };
    case "unknown":
      return hasFailureCode ? withoutPayment(state, "unconfirmed") : { step: "unknown" };
  }
}

/** A repeated status keeps the retry link. */
function withoutPayment(state: ReturnState, step: "failed" | "declined" | "unconfirmed"): ReturnState {
  return state.step === step ? state : { step, retryUrl: null };
}

/** Whether our server is polled. */
export function isPolling(state: ReturnState | null): boolean {
  return state?.step === "checking" || state?.step === "unanswered";
}

/** Whether polling ends. A payment that failed may stay open for ever. */
export function isFinal(status: ProviderStatus, verdict: PaymentVerdict): boolean {
  return status !== "open" || verdict === "failed";
}

/** Whether only the outcome and the footer are shown. The URL hides the rest at once, the server's response brings it back. */
export function hidesContent(state: ReturnState | null, verdict: PaymentVerdict): boolean {
  return state?.step === "failed" || (verdict === "failed" && state?.step !== "paid");
}
