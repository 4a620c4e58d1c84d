import { type Fault, PAYMENT_ERROR } from "~/features/payment/pay/fault";
import type { Answer } from "~/lib/http/request";
import type { Intent, IntentState } from "../api";
import type { PayPorts } from "./pay";

/** Pays an intent that was created before the card was typed. */
export interface IntentPorts extends Pick<PayPorts, "createCard" | "confirmPayment" | "advance"> {
  confirmIntent: (paymentIntentId: string) => Promise<Answer<IntentState>>;
}

export type IntentOutcome =
  | { kind: "settled" }
  | { kind: "refused"; fault: Fault }
  /** The intent is closed: a new one must be created. */
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
  // The intent was closed: it expired after a day, or the buyer started to pay another price.
  if (result.status === "canceled") return { kind: "intentClosed", fault: PAYMENT_ERROR };
  // The money may still move.
  if (result.status === "processing" || result.status === "unknown") {
    return { kind: "intentUnconfirmed", intentId: intent.id };
  }
  if (result.status !== "succeeded") return { kind: "refused", fault: PAYMENT_ERROR };

  ports.advance("checking");
  // The money has moved. Without this call the provider's webhook settles the order.
  await ports.confirmIntent(intent.id);
  return { kind: "settled" };
}
