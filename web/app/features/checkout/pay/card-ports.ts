import type { Stripe, StripeCardNumberElement } from "@stripe/stripe-js";
import { resultWithEarlierDecision } from "~/features/payment/pay/confirmation";
import { type CardHolder, createCard } from "~/lib/payment/card";
import type { PayPorts } from "./pay";

export interface CardPorts
  extends Pick<PayPorts, "source" | "cardNetwork" | "createCard" | "confirmPayment" | "confirmSetup"> {
  /** Called once with the result; a wallet shows it in its window. */
  onResult?: (isPaid: boolean) => void;
}

interface CardSource {
  stripe: Stripe;
  card: StripeCardNumberElement;
  holder: CardHolder;
  /** Empty: the card has only one network. */
  network: string;
}

export function cardPorts({ stripe, card, holder, network }: CardSource): CardPorts {
  const create = () => createCard(stripe, card, holder);
  return { source: "stripe", cardNetwork: network, createCard: create, ...confirmPorts(stripe, network) };
}

/** `network` is sent only for co-branded cards. */
export function confirmPorts(stripe: Stripe, network: string): Pick<CardPorts, "confirmPayment" | "confirmSetup"> {
  const chosen = network ? { payment_method_options: { card: { network } } } : {};
  return {
    async confirmPayment(secret, paymentMethodId) {
      const confirmation = stripe.confirmCardPayment(secret, { payment_method: paymentMethodId, ...chosen });
      return resultWithEarlierDecision(
        confirmation.then(({ paymentIntent, error }) => ({ intent: paymentIntent, error })),
      );
    },
    async confirmSetup(secret, paymentMethodId) {
      const confirmation = stripe.confirmCardSetup(secret, { payment_method: paymentMethodId, ...chosen });
      return resultWithEarlierDecision(confirmation.then(({ setupIntent, error }) => ({ intent: setupIntent, error })));
    },
  };
}
