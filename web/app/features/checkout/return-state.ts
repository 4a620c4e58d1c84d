import type { PaymentVerdict, ReturnQuery } from "~/lib/payment-return";

/** A return as a value. A failure is said at once; that it is paid, only once it is known. The provider has the last word. */

/** What the provider says when our side asks it. */
export type Told = "paid" | "open" | "over";

export type ReturnState =
  | { step: "paid" }
  | { step: "failed"; retryUrl: string | null }
  /** Nobody has told yet. */
  | { step: "asking" }
  /** The bank has not spoken yet. */
  | { step: "checking" }
  /** Nothing in the address tells of a payment. */
  | { step: "unknown" };

export type ReturnEvent = { type: "told"; told: Told } | { type: "retryFound"; url: string };

export function arrive({ verdict, isReturn }: ReturnQuery): ReturnState {
  if (verdict === "failed") return { step: "failed", retryUrl: null };
  return { step: isReturn ? "asking" : "unknown" };
}

/** What our side answered. Of a payment that is none of ours the address alone tells. Null: nothing is known of it. */
export function wordOf(verdict: PaymentVerdict, told: Told | null): Told | null {
  return told ?? (verdict === "paid" ? "paid" : null);
}

export function reduce(state: ReturnState, event: ReturnEvent): ReturnState {
  if (event.type === "retryFound") return state.step === "failed" ? { step: "failed", retryUrl: event.url } : state;
  if (state.step === "unknown") return state;
  switch (event.told) {
    case "paid":
      return { step: "paid" };
    // A payment that has failed stays open at the provider: the same page can be tried again.
    case "open":
      return state.step === "failed" ? state : { step: "checking" };
    case "over":
      return state.step === "failed" ? state : { step: "failed", retryUrl: null };
  }
}
