import { type Envelope, PAYMENT_TIMEOUT_MS } from "~/features/payment/offer/api";
import type { Campaign } from "~/features/payment/offer/offer";
import { type Answer, getJson, postJson } from "~/lib/http/request";
import type { OpenReply } from "./pay/pay-one-time";

/** What was opened: its secret pays it. None: it is paid, or on its way. */
export interface Opened {
  secret: string | null;
  intentId: string | null;
  /** The provider's word. */
  status: string;
}

export type Body = Record<string, string>;

/** How a payment is opened: a guest's, a member's by a card typed here, a member's by the card kept at the provider. */
export type Counter = "guest" | "member" | "keptCard";

interface IntentAnswer {
  status: boolean;
  data: { clientSecret: string | null; paymentStatus: string; paymentIntentId: string | null } | null;
  code: string | null;
  message: string | null;
}

interface AdditionAnswer {
  status: boolean;
  data: { requiresAction: boolean; clientSecret: string | null; paymentIntentId: string | null } | null;
  code: string | null;
  message: string | null;
}

/** Without a card where the member has left none, and in a refusal. */
interface Additions {
  card_last4?: string | null;
}

const PATHS: Record<Counter, string> = {
  guest: "/api/one-time/create-intent",
  member: "/api/create-payment-intent",
  keptCard: "/api/addition/confirm",
};
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** The price for somebody without an account; who they are is said where it is known. */
export function loadLandingCampaign(fields: Body): Promise<Answer<Envelope<Campaign>>> {
  return postJson("/api/web-campaign-landing", { headers: FORM, body: new URLSearchParams(fields).toString() });
}

/** The last digits of the card a member has left; null without one, and where that cannot be told just now. */
export async function keptCard(filter: string, language: string, country: string): Promise<string | null> {
  const query = new URLSearchParams({ ...(filter ? { filter } : {}), lang: language, country });
  const answer = await getJson<Additions>(`/api/addition/campaigns?${query}`);
  return answer.ok ? (answer.value.card_last4 ?? null) : null;
}

export async function openPayment(counter: Counter, key: string, body: Body): Promise<Answer<OpenReply>> {
  const headers = { "idempotency-key": key };
  const answer = await postJson<IntentAnswer | AdditionAnswer>(PATHS[counter], {
    headers,
    body,
    timeoutMs: PAYMENT_TIMEOUT_MS,
  });
  return answer.ok ? { ...answer, value: replyOf(answer.value) } : answer;
}

/** Whether our server, having asked the provider, knows a member's payment as made. */
export async function isPaid(intentId: string): Promise<boolean> {
  const body = { payment_intent: intentId };
  const answer = await postJson<AdditionAnswer>(PATHS.keptCard, { body, timeoutMs: PAYMENT_TIMEOUT_MS });
  return answer.ok && answer.value.status;
}

/** Under way, and nothing for the buyer to do: no refusal. */
const ON_ITS_WAY = "PAYMENT_INCOMPLETE";

function replyOf({ status, data, code, message }: IntentAnswer | AdditionAnswer): OpenReply {
  if (!data || (!status && code !== ON_ITS_WAY)) return { refused: { code: code ?? "paymentError", message } };
  const { clientSecret: secret, paymentIntentId: intentId } = data;
  return { opened: { secret, intentId, status: wordOf(data, status) } };
}

function wordOf(data: NonNullable<(IntentAnswer | AdditionAnswer)["data"]>, status: boolean): string {
  if ("paymentStatus" in data) return data.paymentStatus;
  if (data.requiresAction) return "requires_action";
  return status ? "succeeded" : "processing";
}
