import type { ReturnQuery } from "~/lib/payment-return";

/** A return as a value. A failure is said at once; that it is paid, only once it is known. The provider has the last word. */

/** What the provider says when our side asks it; `unknown`: our side knows no such payment. */
export type Told = "paid" | "open" | "expired" | "unknown";

export type ReturnState =
  | { step: "paid" }
  | { step: "failed"; retryUrl: string | null }
  /** Nobody has told yet. */
  | { step: "asking" }
  /** The bank has not spoken yet. */
  | { step: "checking" }
  /** Neither the address nor our side knows of a payment. */
  | { step: "unknown" };

export type ReturnEvent = { type: "told"; told: Told } | { type: "retryFound"; url: string };

export function arrive({ verdict, isReturn }: ReturnQuery): ReturnState {
  if (verdict === "failed") return { step: "failed", retryUrl: null };
  return { step: isReturn ? "asking" : "unknown" };
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
    case "expired":
      return state.step === "failed" ? state : { step: "failed", retryUrl: null };
    // The address alone proves nothing: anybody can write one.
    case "unknown":
      return state.step === "failed" ? state : { step: "unknown" };
  }
}
