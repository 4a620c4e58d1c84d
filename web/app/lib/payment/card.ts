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

/** The card becomes an id at the provider: only that goes on to us. */
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

/** The provider's sentence is in the visitor's language and says more than ours could. */
export function faultOf(error: StripeError): CardFault {
  return { code: error.code ?? error.type, message: error.message ?? null };
}

/** What was sent before had arrived, or nobody waits for it any more: the intent that comes with it says which. */
export const DECIDED_BEFORE: readonly string[] = ["payment_intent_unexpected_state", "setup_intent_unexpected_state"];
const UNANSWERED: readonly string[] = ["api_connection_error", "api_error", "rate_limit_error"];

/** After these the money may have moved: what was sent may have arrived, or had arrived before. */
export function isUndecided({ type, code = "" }: StripeError): boolean {
  return [...UNANSWERED, ...DECIDED_BEFORE].some((known) => known === type || known === code);
}
