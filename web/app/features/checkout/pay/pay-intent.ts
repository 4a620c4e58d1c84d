import { type Fault, PAYMENT_ERROR } from "~/features/payment/pay/fault";
import type { Answer } from "~/lib/http/request";
import type { Intent, IntentState } from "../api";
import type { PayPorts } from "./pay";

/** One payment of an intent that was made before the card was known. */
export interface IntentPorts extends Pick<PayPorts, "createCard" | "confirmPayment" | "advance"> {
  confirmIntent: (paymentIntentId: string) => Promise<Answer<IntentState>>;
}

export type IntentOutcome =
  | { kind: "settled" }
  | { kind: "refused"; fault: Fault }
  /** The intent can be paid no more: another one has to be made. */
  | { kind: "intentClosed"; fault: Fault }
  | { kind: "intentUnconfirmed"; intentId: string };

const RESOURCE_MISSING = "resource_missing";

export async function payIntent(ports: IntentPorts, intent: Intent): Promise<IntentOutcome> {
  const card = await ports.createCard();
  if ("error" in card) return { kind: "refused", fault: card.error };

  ports.advance("bank");
  const result = await ports.confirmPayment(intent.secret, card.id);
  if ("error" in result) {
    return { kind: result.error.code === RESOURCE_MISSING ? "intentClosed" : "refused", fault: result.error };
  }
  // Closed meanwhile: nobody paid for a day, or the buyer began to pay another price.
  if (result.status === "canceled") return { kind: "intentClosed", fault: PAYMENT_ERROR };
  // Whatever is neither yes nor no may still take the money.
  if (result.status === "processing" || result.status === "unknown") {
    return { kind: "intentUnconfirmed", intentId: intent.id };
  }
  if (result.status !== "succeeded") return { kind: "refused", fault: PAYMENT_ERROR };

  ports.advance("checking");
  // The money has moved. Telling our side is a courtesy: without it the provider's notification settles the order.
  await ports.confirmIntent(intent.id);
  return { kind: "settled" };
}
