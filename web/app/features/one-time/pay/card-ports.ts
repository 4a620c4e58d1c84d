import type { PaymentIntentResult, Stripe, StripeCardNumberElement, StripeError } from "@stripe/stripe-js";
import { type Confirmation, type ConfirmationResult, resultOf, UNKNOWN } from "~/features/payment/pay/confirmation";
import { type Fault, PAYMENT_ERROR } from "~/features/payment/pay/fault";
import { type CardHolder, createCard, faultOf } from "~/lib/payment/card";
import type { PayOneTimePorts } from "./pay-one-time";

/** What Stripe does for one payment. */
export type CardPorts = Pick<PayOneTimePorts, "createCard" | "confirm"> & {
  retrieve: (secret: string) => Promise<string>;
};

interface CardSource {
  stripe: Stripe;
  /** Null: the saved card is charged. */
  card: StripeCardNumberElement | null;
  holder: CardHolder;
  /** Empty: the card has only one network. */
  network: string;
  /** The card may be charged again off session. */
  savesCard: boolean;
  /** Address of a guest: Stripe sends the receipt and alone stores the address. */
  receiptEmail: string | null;
}

export function cardPorts({ stripe, card, holder, network, savesCard, receiptEmail }: CardSource): CardPorts {
  return {
    createCard: async () => (card ? createCard(stripe, card, holder) : null),
    async confirm(secret, paymentMethodId) {
      if (!paymentMethodId) return confirmSavedCard(stripe, secret);
      const confirmation = stripe.confirmCardPayment(secret, {
        payment_method: paymentMethodId,
        ...(savesCard ? { setup_future_usage: "off_session" as const } : {}),
        ...(receiptEmail ? { receipt_email: receiptEmail } : {}),
        ...(network ? { payment_method_options: { card: { network } } } : {}),
      });
      return resultOf(intentOf(confirmation), reasonOf);
    },
    async retrieve(secret) {
      const { paymentIntent } = await stripe.retrievePaymentIntent(secret).catch(() => ({ paymentIntent: undefined }));
      return paymentIntent?.status ?? UNKNOWN;
    },
  };
}

/** The saved card is already charged: its bank needs a confirmation, or has refused. */
async function confirmSavedCard(stripe: Stripe, secret: string): Promise<ConfirmationResult> {
  const { paymentIntent } = await stripe.retrievePaymentIntent(secret).catch(() => ({ paymentIntent: undefined }));
  if (!paymentIntent) return { status: UNKNOWN };
  const { status, last_payment_error: refusal } = paymentIntent;
  if (status === "requires_action") return resultOf(intentOf(stripe.confirmCardPayment(secret)), reasonOf);
  if (status === "requires_payment_method") return { error: refusal ? reasonOf(refusal) : PAYMENT_ERROR };
  return { status };
}

async function intentOf(confirmation: Promise<PaymentIntentResult>): Promise<Confirmation> {
  const { paymentIntent, error } = await confirmation;
  return { intent: paymentIntent, error };
}

/** A declined card has a more specific code beside its error code. */
function reasonOf(error: StripeError): Fault {
  const fault = faultOf(error);
  return error.decline_code ? { ...fault, code: error.decline_code } : fault;
}
