import { type ConfirmationResult, UNKNOWN } from "~/features/payment/pay/confirmation";
import { type Fault, PAYMENT_ERROR } from "~/features/payment/pay/fault";
import type { Phase } from "~/features/payment/pay/phase";
import { sendUntilAnswered } from "~/features/payment/pay/send-until-answered";
import { type Answer, NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import type { PaymentSource, SubscriptionEnvelope } from "../api";
import { nextStep, type SubscriptionResponse } from "./subscription-response";

/** Pays one subscription, from card to outcome. The ports are its only side effects. */

export interface PayPorts {
  source: PaymentSource;
  /** The network of a co-branded card that is charged, now and at renewals. Empty: the card has only one. */
  cardNetwork: string;
  createCard: () => Promise<{ id: string } | { error: Fault }>;
  createSubscription: (attempt: Attempt) => Promise<Answer<SubscriptionEnvelope>>;
  confirmSubscription: (subscriptionId: string) => Promise<Answer<SubscriptionEnvelope>>;
  confirmPayment: (secret: string, paymentMethodId: string) => Promise<ConfirmationResult>;
  confirmSetup: (secret: string, paymentMethodId: string) => Promise<ConfirmationResult>;
  newKey: () => string;
  pause: (ms: number) => Promise<void>;
  advance: (phase: Phase) => void;
}

/** Resent unchanged while its outcome is unknown, so that it takes effect only once. */
export interface Attempt {
  key: string;
  paymentMethodId: string;
  source: PaymentSource;
  cardNetwork: string;
}

export type Outcome =
  | { kind: "settled" }
  | { kind: "refused"; fault: Fault }
  | { kind: "bankTimedOut"; subscriptionId: string }
  /** No answer arrived: the same attempt may be sent again. */
  | { kind: "unknown"; fault: Fault; attempt: Attempt };

const POLL_DELAYS_MS = [1_000, 2_000, 3_000, 5_000, 5_000, 5_000, 5_000] as const;

export async function pay(ports: PayPorts, open: Attempt | null): Promise<Outcome> {
  const attempt = open ?? (await newAttempt(ports));
  if ("error" in attempt) return { kind: "refused", fault: attempt.error };

  ports.advance("order");
  const answer = await sendUntilAnswered({
    send: () => ports.createSubscription(attempt),
    refusalOf: asRefusal,
    pause: ports.pause,
  });
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

function asRefusal({ code, detail }: Problem): SubscriptionEnvelope {
  return { status: false, data: null, code, message: detail || null };
}

async function finish(ports: PayPorts, attempt: Attempt, subscription: SubscriptionResponse): Promise<Outcome> {
  const step = nextStep(subscription);
  const id = subscription.subscription_id;
  switch (step.do) {
    case "finish":
      return { kind: "settled" };
    case "wait":
      return pollSubscription(ports, id);
    case "fail":
      return { kind: "refused", fault: PAYMENT_ERROR };
    case "confirmPayment": {
      ports.advance("bank");
      const verdict = await ports.confirmPayment(step.secret, attempt.paymentMethodId);
      return isCanceled(verdict) ? pollSubscription(ports, id) : settle(ports, id, verdict);
    }
    case "confirmSetup":
      ports.advance("bank");
      return settle(ports, id, await ports.confirmSetup(step.secret, attempt.paymentMethodId));
  }
}

/** Another tab started a new payment of the same purchase. */
function isCanceled(verdict: ConfirmationResult): boolean {
  return "status" in verdict && verdict.status === "canceled";
}

async function settle(ports: PayPorts, subscriptionId: string, verdict: ConfirmationResult): Promise<Outcome> {
  if ("error" in verdict) return { kind: "refused", fault: verdict.error };
  if (verdict.status === "processing" || verdict.status === UNKNOWN) return pollSubscription(ports, subscriptionId);
  if (verdict.status !== "succeeded") return { kind: "refused", fault: PAYMENT_ERROR };
  ports.advance("checking");
  // The money has moved. Without this call the provider's webhook settles the order.
  await ports.confirmSubscription(subscriptionId);
  return { kind: "settled" };
}

type PollPorts = Pick<PayPorts, "confirmSubscription" | "pause" | "advance">;

/** Polls our server with growing delays until the bank has decided. */
export async function pollSubscription(ports: PollPorts, subscriptionId: string): Promise<Outcome> {
  ports.advance("checking");
  for (const wait of POLL_DELAYS_MS) {
    const answer = await ports.confirmSubscription(subscriptionId);
    const data = answer.ok ? answer.value.data : null;
    if (data) {
      const step = nextStep(data);
      if (step.do === "finish") return { kind: "settled" };
      if (step.do !== "wait") return { kind: "refused", fault: PAYMENT_ERROR };
    }
    await ports.pause(wait);
  }
  return { kind: "bankTimedOut", subscriptionId };
}
