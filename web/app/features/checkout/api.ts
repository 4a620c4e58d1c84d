import { type Envelope, PAYMENT_TIMEOUT_MS } from "~/features/payment/offer/api";
import type { Campaign } from "~/features/payment/offer/offer";
import { type Answer, postJson } from "~/lib/http/request";
import type { Tracking } from "~/lib/tracking";
import type { IntentKind } from "./pay/intent-kind";
import type { SubscriptionResponse } from "./pay/subscription-response";

export type SubscriptionEnvelope = Partial<Omit<SubscriptionResponse, "status">> & {
  status: string | false;
  data: SubscriptionResponse | null;
  code: string | null;
  message: string | null;
};

/** How the card was given: typed here, or by a wallet. */
export type PaymentSource = "stripe" | "apple_google_pay";

export interface SubscriptionRequest {
  campaign: Campaign;
  couponCode: string | null;
  paymentMethodId: string;
  source: PaymentSource;
  /** Empty: the card has only one network. */
  cardNetwork: string;
  country: string;
  language: string;
  tracking: Tracking;
}

export function createSubscription(
  request: SubscriptionRequest,
  idempotencyKey: string,
): Promise<Answer<SubscriptionEnvelope>> {
  return postJson("/api/create-subscription-fixed", {
    timeoutMs: PAYMENT_TIMEOUT_MS,
    headers: { "idempotency-key": idempotencyKey },
    body: {
      customer_id: request.campaign.customer_id ?? "",
      price_id: request.campaign.price_id,
      coupon_code: request.couponCode ?? "",
      quote: request.campaign.quote ?? "",
      payment_method_id: request.paymentMethodId,
      payment_source: request.source,
      card_network: request.cardNetwork,
      country: request.country,
      language: request.language,
      ...request.tracking,
    },
  });
}

/** A PayPal subscription and its id on our server. */
export interface LinkedSubscription {
  subscription_id: string;
  status: string;
}

export interface LinkRequest {
  userId: string;
  /** PayPal's id of the subscription. */
  approval: string;
  country: string;
  language: string;
  tracking: Tracking;
}

/** Idempotent: a repeated call returns the present status. */
export function linkPaypal(request: LinkRequest): Promise<Answer<Envelope<LinkedSubscription>>> {
  return postJson("/api/paypal/customers/subscription", {
    timeoutMs: PAYMENT_TIMEOUT_MS,
    body: {
      user_id: request.userId,
      subscription_id: request.approval,
      country: request.country,
      language: request.language,
      ...request.tracking,
    },
  });
}

export function sendPaypalTracking(subscriptionId: string, tracking: Tracking): Promise<Answer<Envelope<null>>> {
  return postJson("/api/subscriptions/meta-data", {
    body: { subscription_id: subscriptionId, payment_provider_id: "paypal", ...tracking },
  });
}

export function confirmSubscription(subscriptionId: string): Promise<Answer<SubscriptionEnvelope>> {
  return postJson("/api/subscriptions/confirm", {
    timeoutMs: PAYMENT_TIMEOUT_MS,
    body: { subscription_id: subscriptionId },
  });
}

/** A payment intent created before the card is typed; its secret confirms the card. */
export interface Intent {
  id: string;
  secret: string;
}

interface IntentResponse {
  paymentIntentId: string | null;
  clientSecret: string | null;
  paymentStatus: string;
}

export interface IntentRequest {
  kind: IntentKind;
  campaign: Campaign;
  couponCode: string | null;
  country: string;
  language: string;
  userId: string;
  tracking: Tracking;
}

/** Idempotent: another tab or a reload gets the intent that is open. */
export function createIntent(request: IntentRequest): Promise<Answer<Envelope<IntentResponse>>> {
  const { kind, campaign, country, language, tracking } = request;
  const [trial] = campaign.trial_prices?.stripe ?? [];
  const common = {
    coupon_code: request.couponCode ?? "",
    quote: campaign.quote ?? "",
    customer_id: campaign.customer_id ?? "",
    country,
    language,
    ...tracking,
  };
  if (kind === "trial") {
    const body = { ...common, price_id: trial?.price_id ?? "", id: trial?.id ?? campaign.price_id };
    return postJson("/api/create-trial-price-intent", { timeoutMs: PAYMENT_TIMEOUT_MS, body });
  }
  const body = { ...common, price_id: campaign.price_id, user_id: request.userId };
  return postJson("/api/create-payment-intent", { timeoutMs: PAYMENT_TIMEOUT_MS, body });
}

export interface IntentState {
  /** True: paid. */
  status: boolean;
  /** The buyer must act; no money has moved. */
  data: { requiresAction: boolean } | null;
  code?: string | null;
}

/** Makes our server check the intent at the provider. */
export function confirmIntent(paymentIntentId: string): Promise<Answer<IntentState>> {
  return postJson("/api/addition/confirm", {
    timeoutMs: PAYMENT_TIMEOUT_MS,
    body: { price_id: "", payment_intent: paymentIntentId },
  });
}
