import type { PaymentRequest, PaymentRequestPaymentMethodEvent, Stripe } from "@stripe/stripe-js";
import { amountsOf, type Campaign } from "~/features/payment/offer/offer";
import { type CardPorts, confirmPorts } from "../pay/card-ports";

/** The wallet of this device, through Stripe's payment request. */

export type WalletKind = "apple" | "google";

export interface Wallet {
  kind: WalletKind;
  request: PaymentRequest;
}

/** Country of the account that receives the money, not of the buyer. */
const COUNTRY = "US";

/** Null: the device has no wallet. */
export async function findWallet(stripe: Stripe, campaign: Campaign, label: string): Promise<Wallet | null> {
  const request = stripe.paymentRequest({
    country: COUNTRY,
    currency: campaign.currency.toLowerCase(),
    total: { label, ...walletTotal(campaign) },
    requestPayerName: true,
    requestPayerEmail: true,
    disableWallets: ["link", "browserCard"],
  });
  const can = await request.canMakePayment();
  if (can?.applePay) return { kind: "apple", request };
  return can?.googlePay ? { kind: "google", request } : null;
}

/** The price in minor units. Pending: it is not charged now, because a free trial comes first. */
export function walletTotal(campaign: Campaign): { amount: number; pending: boolean } {
  const { price, trialFee } = amountsOf(campaign);
  const now = trialFee ?? price;
  return { amount: now.minor, pending: trialFee === null && campaign.trial_days > 0 };
}

/** Payment ports of an approved wallet payment. The wallet's window stays open until `complete` is called. */
export function walletPorts(stripe: Stripe, { paymentMethod, complete }: PaymentRequestPaymentMethodEvent): CardPorts {
  const confirm = confirmPorts(stripe, "");
  let isCompleted = false;
  const completeOnce = (isPaid: boolean) => {
    if (!isCompleted) complete(isPaid ? "success" : "fail");
    isCompleted = true;
  };
  // The bank confirms in its own window, which the wallet's window would cover.
  const afterCompletion =
    <Answer>(ask: (secret: string, paymentMethodId: string) => Promise<Answer>) =>
    (secret: string, paymentMethodId: string) => {
      completeOnce(true);
      return ask(secret, paymentMethodId);
    };
  return {
    source: "apple_google_pay",
    cardNetwork: "",
    createCard: async () => ({ id: paymentMethod.id }),
    confirmPayment: afterCompletion(confirm.confirmPayment),
    confirmSetup: afterCompletion(confirm.confirmSetup),
    onResult: completeOnce,
  };
}
