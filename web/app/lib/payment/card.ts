import type { Stripe, StripeCardNumberElement, StripeError } from "@stripe/stripe-js";
import { NETWORK_FAILURE } from "../http/request";

export interface CardHolder {
  name: string;
  email: string;
}

export interface CardFault {
  code: string;
  message: string | null;
}

/** Creates a payment method at Stripe; only its id is sent to our server. */
export async function createCard(
  stripe: Stripe,
  card: StripeCardNumberElement,
  holder: CardHolder,
): Promise<{ id: string } | { error: CardFault }> {
  const request = stripe.createPaymentMethod({
    type: "card",
    card,
    billing_details: { name: holder.name, email: holder.email },
  });
  const answer = await request.catch(() => null);
  if (!answer) return { error: { code: NETWORK_FAILURE, message: null } };
  return answer.error ? { error: faultOf(answer.error) } : { id: answer.paymentMethod.id };
}

/** Stripe's message is in the visitor's language and more specific than ours. */
export function faultOf(error: StripeError): CardFault {
  return { code: error.code ?? error.type, message: error.message ?? null };
}

/** The intent was decided by an earlier request; the error contains it. */
export const DECIDED_BEFORE: readonly string[] = ["payment_intent_unexpected_state", "setup_intent_unexpected_state"];
const UNANSWERED: readonly string[] = ["api_connection_error", "api_error", "rate_limit_error"];

/** After these the money may have moved: this request or an earlier one may have arrived. */
export function isUndecided({ type, code = "" }: StripeError): boolean {
  return [...UNANSWERED, ...DECIDED_BEFORE].some((known) => known === type || known === code);
}
