import { type Answer, NETWORK_FAILURE } from "~/lib/http/request";
import type { PaymentSource, SubscriptionEnvelope } from "./api";
import { nextStep, type SubscriptionAnswer } from "./outcome";
import type { Fault, Phase } from "./state";

/** One payment from card to verdict, told in order. What it needs from outside comes in as ports. */

/** What the provider said of a card, a payment or a setup. */
export type Verdict = { status: string } | { error: Fault };

/** The provider's word was lost on its way: only our side can tell what became of the payment. */
export const UNKNOWN = "unknown";

export interface PayPorts {
  source: PaymentSource;
  /** Which of a co-branded card's networks is charged, now and at renewals; empty: it leaves no choice. */
  cardNetwork: string;
  createCard: () => Promise<{ id: string } | { error: Fault }>;
  createSubscription: (attempt: Attempt) => Promise<Answer<SubscriptionEnvelope>>;
  confirmSubscription: (subscriptionId: string) => Promise<Answer<SubscriptionEnvelope>>;
  confirmPayment: (secret: string, paymentMethodId: string) => Promise<Verdict>;
  confirmSetup: (secret: string, paymentMethodId: string) => Promise<Verdict>;
  newKey: () => string;
  pause: (ms: number) => Promise<void>;
  advance: (phase: Phase) => void;
}

/** Sent again unchanged while nobody knows what became of it, so that it can take effect only once. */
export interface Attempt {
  key: string;
  paymentMethodId: string;
  source: PaymentSource;
  cardNetwork: string;
}

export type Outcome =
  | { kind: "settled" }
  | { kind: "refused"; fault: Fault }
  | { kind: "bankSilent"; subscriptionId: string }
  /** No answer at all: the same attempt may be made again. */
  | { kind: "unknown"; fault: Fault; attempt: Attempt };

export const PAYMENT_ERROR: Fault = { code: "paymentError", message: null };

const RESEND_AFTER_MS = [1_000, 3_000] as const;
const ASK_AGAIN_AFTER_MS = [1_000, 2_000, 3_000, 5_000, 5_000, 5_000, 5_000] as const;

export async function pay(ports: PayPorts, open: Attempt | null): Promise<Outcome> {
  const attempt = open ?? (await newAttempt(ports));
  if ("error" in attempt) return { kind: "refused", fault: attempt.error };

  ports.advance("order");
  const answer = await sendUntilAnswered(ports, attempt);
  if (!answer.ok) return { kind: "unknown", fault: { code: NETWORK_FAILURE, message: null }, attempt };
  const { data, code, message } = answer.value;
  if (!data) return { kind: "refused", fault: { code: code ?? PAYMENT_ERROR.code, message } };

  return finish(ports, attempt, data);
}

async function newAttempt(ports: PayPorts): Promise<Attempt | { error: Fault }> {
  const card = await ports.createCard();
  if ("error" in card) return card;
  const { source, cardNetwork } = ports;
  return { key: ports.newKey(), paymentMethodId: card.id, source, cardNetwork };
}

async function sendUntilAnswered(ports: PayPorts, attempt: Attempt): Promise<Answer<SubscriptionEnvelope>> {
  for (const wait of RESEND_AFTER_MS) {
    const answer = await ports.createSubscription(attempt);
    if (answer.ok || !isUnanswered(answer.problem.status)) return asRefusal(answer);
    await ports.pause(wait);
  }
  return asRefusal(await ports.createSubscription(attempt));
}

function isUnanswered(status: number): boolean {
  return status === 0 || status >= 500;
}

/** An answer with an error status is still an answer: the order was refused. */
function asRefusal(answer: Answer<SubscriptionEnvelope>): Answer<SubscriptionEnvelope> {
  if (answer.ok || isUnanswered(answer.problem.status)) return answer;
  const { code, detail, status } = answer.problem;
  return { ok: true, status, value: { status: false, data: null, code, message: detail || null } };
}

async function finish(ports: PayPorts, attempt: Attempt, subscription: SubscriptionAnswer): Promise<Outcome> {
  const step = nextStep(subscription);
  const id = subscription.subscription_id;
  switch (step.do) {
    case "finish":
      return { kind: "settled" };
    case "wait":
      return awaitBank(ports, id);
    case "fail":
      return { kind: "refused", fault: PAYMENT_ERROR };
    case "confirmPayment": {
      ports.advance("bank");
      const verdict = await ports.confirmPayment(step.secret, attempt.paymentMethodId);
      return isGivenUp(verdict) ? awaitBank(ports, id) : judge(ports, id, verdict);
    }
    case "confirmSetup":
      ports.advance("bank");
      return judge(ports, id, await ports.confirmSetup(step.secret, attempt.paymentMethodId));
  }
}

/** Somebody has begun anew, in another tab: what was bought there is the same. */
function isGivenUp(verdict: Verdict): boolean {
  return "status" in verdict && verdict.status === "canceled";
}

async function judge(ports: PayPorts, subscriptionId: string, verdict: Verdict): Promise<Outcome> {
  if ("error" in verdict) return { kind: "refused", fault: verdict.error };
  if (verdict.status === "processing" || verdict.status === UNKNOWN) return awaitBank(ports, subscriptionId);
  if (verdict.status !== "succeeded") return { kind: "refused", fault: PAYMENT_ERROR };
  ports.advance("checking");
  // The money has moved. Telling our side is a courtesy: without it the provider's notification settles the order.
  await ports.confirmSubscription(subscriptionId);
  return { kind: "settled" };
}

type BankPorts = Pick<PayPorts, "confirmSubscription" | "pause" | "advance">;

/** Asks our side, ever more slowly, until the bank has spoken. */
export async function awaitBank(ports: BankPorts, subscriptionId: string): Promise<Outcome> {
  ports.advance("checking");
  for (const wait of ASK_AGAIN_AFTER_MS) {
    const answer = await ports.confirmSubscription(subscriptionId);
    const data = answer.ok ? answer.value.data : null;
    if (data) {
      const step = nextStep(data);
      if (step.do === "finish") return { kind: "settled" };
      if (step.do !== "wait") return { kind: "refused", fault: PAYMENT_ERROR };
    }
    await ports.pause(wait);
  }
  return { kind: "bankSilent", subscriptionId };
}
