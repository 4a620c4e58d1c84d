import { type Answer, getJson, postJson } from "~/lib/http/request";
import { askRedirect } from "~/lib/redirects";
import type { Tracking } from "~/lib/tracking";
import type { DirectWay } from "./direct";
import type { Campaign } from "./offer";
import type { SubscriptionAnswer } from "./outcome";

/** Business refusals come with HTTP 200 and `status: false`. */
export type Envelope<T> = ({ status: true; data: T } | { status: false; data: null }) & {
  code: string | null;
  message: string | null;
};

export type SubscriptionEnvelope = Partial<Omit<SubscriptionAnswer, "status">> & {
  status: string | false;
  data: SubscriptionAnswer | null;
  code: string | null;
  message: string | null;
};

export interface CampaignRequest {
  campaign: string;
  couponCode: string | null;
  language: string;
  country: string;
  userId: string;
}

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

/** The field is specified and has no meaning: the gateway knows the address from the connection. */
const FIXED_IP = "127.0.0.1";
const PAYMENT_TIMEOUT_MS = 30_000;

export function loadCampaign(request: CampaignRequest): Promise<Answer<Envelope<Campaign>>> {
  return postJson("/api/web-campaign", {
    body: {
      campaign: request.campaign,
      coupon_code: request.couponCode ?? "",
      language: request.language,
      country: request.country,
      user_id: request.userId,
      ip: FIXED_IP,
    },
  });
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
export interface Linked {
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
export function linkPaypal(request: LinkRequest): Promise<Answer<Envelope<Linked>>> {
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

export function describePaypal(subscriptionId: string, tracking: Tracking): Promise<Answer<Envelope<null>>> {
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

interface IntentOpened {
  paymentIntentId: string | null;
  clientSecret: string | null;
  paymentStatus: string;
}

export interface IntentRequest {
  way: DirectWay;
  campaign: Campaign;
  couponCode: string | null;
  country: string;
  language: string;
  userId: string;
  tracking: Tracking;
}

/** Whoever comes again, in another tab or after a reload, is handed the one that is open. */
export function createIntent(request: IntentRequest): Promise<Answer<Envelope<IntentOpened>>> {
  const { way, campaign, country, language, tracking } = request;
  const [trial] = campaign.trial_prices?.stripe ?? [];
  const bought = {
    coupon_code: request.couponCode ?? "",
    quote: campaign.quote ?? "",
    customer_id: campaign.customer_id ?? "",
    country,
    language,
    ...tracking,
  };
  if (way === "trial") {
    const body = { ...bought, price_id: trial?.price_id ?? "", id: trial?.id ?? campaign.price_id };
    return postJson("/api/create-trial-price-intent", { timeoutMs: PAYMENT_TIMEOUT_MS, body });
  }
  const body = { ...bought, price_id: campaign.price_id, user_id: request.userId };
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

/**
 * Answers where `soul_redirection_url` leads; null: nowhere. Nothing granted keeps nobody here: the payment stands either way,
 * and what it grants comes with the word of it.
 */
export async function grantTemporaryPremium(language: string, wanted: string): Promise<string | null> {
  const query = new URLSearchParams({ subscriptionType: "soul", soul_redirection_url: wanted });
  const answer = await getJson<{ redirectUrl: string | null }>(`/users/temporary-premium?${query}`, { lang: language });
  return answer.ok ? answer.value.redirectUrl : askRedirect("soul_redirection_url", wanted);
}

/** A token for the therapy app, minutes long and good once; null where none is to be had. */
export async function therapyToken(): Promise<string | null> {
  const answer = await postJson<{ token: string }>("/api/auth/handoff-tokens", { body: { purpose: "therapy" } });
  return answer.ok ? answer.value.token : null;
}
