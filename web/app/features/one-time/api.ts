import { type Envelope, PAYMENT_TIMEOUT_MS } from "~/features/payment/offer/api";
import type { Campaign } from "~/features/payment/offer/offer";
import { type Answer, getJson, postJson } from "~/lib/http/request";
import type { IntentReply } from "./pay/pay-one-time";

/** A created intent. Without a secret it is paid or processing. */
export interface OpenedIntent {
  secret: string | null;
  intentId: string | null;
  /** The provider's status. */
  status: string;
}

export type IntentFields = Record<string, string>;

/** Who pays: a guest, a member with a typed card, or a member with a saved card. */
export type IntentPurpose = "guest" | "member" | "savedCard";

interface IntentResponse {
  status: boolean;
  data: { clientSecret: string | null; paymentStatus: string; paymentIntentId: string | null } | null;
  code: string | null;
  message: string | null;
}

interface AdditionResponse {
  status: boolean;
  data: { requiresAction: boolean; clientSecret: string | null; paymentIntentId: string | null } | null;
  code: string | null;
  message: string | null;
}

/** Null without a saved card and in a refusal. */
interface AdditionsResponse {
  card_last4?: string | null;
}

const PATHS: Record<IntentPurpose, string> = {
  guest: "/api/one-time/create-intent",
  member: "/api/create-payment-intent",
  savedCard: "/api/addition/confirm",
};
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** The price for a guest; name and address are sent when they are known. */
export function loadLandingCampaign(fields: IntentFields): Promise<Answer<Envelope<Campaign>>> {
  return postJson("/api/web-campaign-landing", { headers: FORM, body: new URLSearchParams(fields).toString() });
}

/** The last digits of the member's saved card; null without one and on errors. */
export async function fetchSavedCard(filter: string, language: string, country: string): Promise<string | null> {
  const query = new URLSearchParams({ ...(filter ? { filter } : {}), lang: language, country });
  const answer = await getJson<AdditionsResponse>(`/api/addition/campaigns?${query}`);
  return answer.ok ? (answer.value.card_last4 ?? null) : null;
}

export async function createIntent(
  purpose: IntentPurpose,
  key: string,
  body: IntentFields,
): Promise<Answer<IntentReply>> {
  const headers = { "idempotency-key": key };
  const answer = await postJson<IntentResponse | AdditionResponse>(PATHS[purpose], {
    headers,
    body,
    timeoutMs: PAYMENT_TIMEOUT_MS,
  });
  return answer.ok ? { ...answer, value: replyOf(answer.value) } : answer;
}

/** Whether our server, after asking the provider, reports the member's payment as made. */
export async function isPaid(intentId: string): Promise<boolean> {
  const body = { payment_intent: intentId };
  const answer = await postJson<AdditionResponse>(PATHS.savedCard, { body, timeoutMs: PAYMENT_TIMEOUT_MS });
  return answer.ok && answer.value.status;
}

/** The payment is processing and the buyer has nothing to do: no refusal. */
const PAYMENT_INCOMPLETE = "PAYMENT_INCOMPLETE";

function replyOf({ status, data, code, message }: IntentResponse | AdditionResponse): IntentReply {
  if (!data || (!status && code !== PAYMENT_INCOMPLETE)) return { refused: { code: code ?? "paymentError", message } };
  const { clientSecret: secret, paymentIntentId: intentId } = data;
  return { opened: { secret, intentId, status: statusOf(data, status) } };
}

function statusOf(data: NonNullable<(IntentResponse | AdditionResponse)["data"]>, status: boolean): string {
  if ("paymentStatus" in data) return data.paymentStatus;
  if (data.requiresAction) return "requires_action";
  return status ? "succeeded" : "processing";
}
