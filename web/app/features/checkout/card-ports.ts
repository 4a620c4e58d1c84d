import type { Stripe, StripeCardNumberElement, StripeError } from "@stripe/stripe-js";
import type { PayPorts, Verdict } from "./pay";
import type { Fault } from "./state";

export interface CardHolder {
  name: string;
  email: string;
}

export type CardPorts = Pick<PayPorts, "createCard" | "confirmPayment" | "confirmSetup">;

/** Networks of co-branded cards the provider can be asked to prefer. */
export const CARD_NETWORKS = [
  "amex",
  "cartes_bancaires",
  "unionpay",
  "diners",
  "discover",
  "jcb",
  "mastercard",
  "visa",
] as const;

interface CardSource {
  stripe: Stripe;
  card: StripeCardNumberElement;
  holder: CardHolder;
  /** Empty: the card leaves no choice. */
  network: string;
}

export function cardPorts({ stripe, card, holder, network }: CardSource): CardPorts {
  return {
    async createCard() {
      const { paymentMethod, error } = await stripe.createPaymentMethod({
        type: "card",
        card,
        billing_details: { name: holder.name, email: holder.email },
      });
      return error ? { error: faultOf(error) } : { id: paymentMethod.id };
    },
    async confirmPayment(secret, paymentMethodId) {
      const { paymentIntent, error } = await stripe.confirmCardPayment(secret, {
        payment_method: paymentMethodId,
        ...(network ? { payment_method_options: { card: { network } } } : {}),
      });
      return verdict(paymentIntent, error);
    },
    async confirmSetup(secret, paymentMethodId) {
      const { setupIntent, error } = await stripe.confirmCardSetup(secret, { payment_method: paymentMethodId });
      return verdict(setupIntent, error);
    },
  };
}

function verdict(intent: { status: string } | undefined, error: StripeError | undefined): Verdict {
  if (error) return { error: faultOf(error) };
  return { status: intent?.status ?? "unknown" };
}

/** The provider's sentence is in the visitor's language and says more than ours could. */
function faultOf(error: StripeError): Fault {
  return { code: error.code ?? error.type, message: error.message ?? null };
}
