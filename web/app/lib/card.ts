import type { Stripe, StripeCardNumberElement, StripeError } from "@stripe/stripe-js";
import { NETWORK_FAILURE } from "./http/request";

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
  const asked = stripe.createPaymentMethod({
    type: "card",
    card,
    billing_details: { name: holder.name, email: holder.email },
  });
  const answer = await asked.catch(() => null);
  if (!answer) return { error: { code: NETWORK_FAILURE, message: null } };
  return answer.error ? { error: faultOf(answer.error) } : { id: answer.paymentMethod.id };
}

/** The provider's sentence is in the visitor's language and says more than ours could. */
export function faultOf(error: StripeError): CardFault {
  return { code: error.code ?? error.type, message: error.message ?? null };
}
