import type { ReturnQuery } from "~/lib/payment-return";

/** A return as a value: the address says how it went, and the provider has the last word. */

/** What the provider says when our side asks it. */
export type Told = "paid" | "open" | "over";

export type ReturnState =
  | { step: "paid" }
  | { step: "failed"; retryUrl: string | null }
  /** The bank has not spoken yet. */
  | { step: "checking" }
  /** Nothing in the address tells of a payment. */
  | { step: "unknown" };

export type ReturnEvent = { type: "told"; told: Told } | { type: "retryFound"; url: string };

/** Providers that say nothing in the address: only what the member has by now tells. */
const SILENT: readonly string[] = ["yookassa", "platron"];

export function arrive({ verdict, paymentId, paymentMethod }: ReturnQuery): ReturnState {
  if (verdict === "paid") return { step: "paid" };
  if (verdict === "failed") return { step: "failed", retryUrl: null };
  const isSent = paymentId !== null || SILENT.includes(paymentMethod ?? "");
  return { step: isSent ? "checking" : "unknown" };
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
