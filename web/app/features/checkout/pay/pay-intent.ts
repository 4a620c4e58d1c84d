import { type Fault, PAYMENT_ERROR } from "~/features/payment/pay/fault";
import type { Answer } from "~/lib/http/request";
import type { Intent, IntentState } from "../api";
import type { PayPorts } from "./pay";

/** One payment of an intent that was made before the card was known. */
export interface DirectPorts extends Pick<PayPorts, "createCard" | "confirmPayment" | "advance"> {
  confirmIntent: (paymentIntentId: string) => Promise<Answer<IntentState>>;
}

export type DirectOutcome =
  | { kind: "settled" }
  | { kind: "refused"; fault: Fault }
  /** The intent can be paid no more: another one has to be made. */
  | { kind: "spent"; fault: Fault }
  | { kind: "intentSilent"; intentId: string };

const GONE = "resource_missing";

export async function payDirect(ports: DirectPorts, intent: Intent): Promise<DirectOutcome> {
  const card = await ports.createCard();
  if ("error" in card) return { kind: "refused", fault: card.error };

  ports.advance("bank");
  const verdict = await ports.confirmPayment(intent.secret, card.id);
  if ("error" in verdict) {
    return { kind: verdict.error.code === GONE ? "spent" : "refused", fault: verdict.error };
  }
  // Closed meanwhile: nobody paid for a day, or the buyer began to pay another price.
  if (verdict.status === "canceled") return { kind: "spent", fault: PAYMENT_ERROR };
  // Whatever is neither yes nor no may still take the money.
  if (verdict.status === "processing" || verdict.status === "unknown") {
    return { kind: "intentSilent", intentId: intent.id };
  }
  if (verdict.status !== "succeeded") return { kind: "refused", fault: PAYMENT_ERROR };

  ports.advance("checking");
  // The money has moved. Telling our side is a courtesy: without it the provider's notification settles the order.
  await ports.confirmIntent(intent.id);
  return { kind: "settled" };
}
