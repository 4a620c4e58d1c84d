import type { Stripe, StripeCardNumberElement, StripeError } from "@stripe/stripe-js";
import { type CardHolder, createCard, faultOf } from "~/lib/card";
import type { PayPorts, Verdict } from "./pay";

export type CardPorts = Pick<PayPorts, "createCard" | "confirmPayment" | "confirmSetup">;

interface CardSource {
  stripe: Stripe;
  card: StripeCardNumberElement;
  holder: CardHolder;
  /** Empty: the card leaves no choice. */
  network: string;
}

export function cardPorts({ stripe, card, holder, network }: CardSource): CardPorts {
  return {
    createCard: () => createCard(stripe, card, holder),
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
