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

/** A card, or what a wallet made of one. */
export type PaymentSource = "stripe" | "apple_google_pay";

export interface SubscriptionRequest {
  campaign: Campaign;
  couponCode: string | null;
  paymentMethodId: string;
  source: PaymentSource;
  /** Empty: the card leaves no choice. */
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

/** A subscription made at PayPal, as it is known to us. */
export interface LinkedSubscription {
  subscription_id: string;
  status: string;
}

export interface LinkRequest {
  userId: string;
  /** PayPal's own id of it. */
  approval: string;
  country: string;
  language: string;
  tracking: Tracking;
}

/** Asked again, it answers what has become of it. */
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

/** What is paid directly: the card is confirmed with its secret. */
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

/** Whoever comes again, in another tab or after a reload, is handed the one that is open. */
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
  /** True: it is paid. */
  status: boolean;
  /** The buyer has to act: the money has not moved. */
  data: { requiresAction: boolean } | null;
  code?: string | null;
}

/** Asks our side to look at it again. */
export function confirmIntent(paymentIntentId: string): Promise<Answer<IntentState>> {
  return postJson("/api/addition/confirm", {
    timeoutMs: PAYMENT_TIMEOUT_MS,
    body: { price_id: "", payment_intent: paymentIntentId },
  });
}
