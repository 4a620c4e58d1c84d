import type { ReturnQuery } from "~/lib/payment/payment-return";

/**
 * The state of a return from a provider. A failure in the URL shows at once; a success only after the provider confirms
 * it.
 */

/** The provider's status through our server; `unknown`: no such payment. */
export type ProviderStatus = "paid" | "open" | "expired" | "unknown";

export type ReturnState =
  | { step: "paid" }
  | { step: "failed"; retryUrl: string | null }
  /** No response yet. */
  | { step: "asking" }
  /** The bank has not decided. */
  | { step: "checking" }
  /** Neither the URL nor our server has a payment. */
  | { step: "unknown" };

export type ReturnEvent = { type: "statusReceived"; status: ProviderStatus } | { type: "retryFound"; url: string };

export function initialState({ verdict, isReturn }: ReturnQuery): ReturnState {
  if (verdict === "failed") return { step: "failed", retryUrl: null };
  return { step: isReturn ? "asking" : "unknown" };
}

export function reduce(state: ReturnState, event: ReturnEvent): ReturnState {
  if (event.type === "retryFound") return state.step === "failed" ? { step: "failed", retryUrl: event.url } : state;
  if (state.step === "unknown") return state;
  switch (event.status) {
    case "paid":
      return { step: "paid" };
    // A failed payment stays open at the provider, where it can be retried.
    case "open":
      return state.step === "failed" ? state : { step: "checking" };
    case "expired":
      return state.step === "failed" ? state : { step: "failed", retryUrl: null };
    // Anyone can write this URL, so it proves nothing.
    case "unknown":
      return state.step === "failed" ? state : { step: "unknown" };
  }
}
