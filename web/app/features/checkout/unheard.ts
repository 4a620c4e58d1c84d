import { type Answer, getJson } from "~/lib/http/request";
import { confirmIntent, confirmSubscription, type SubscriptionEnvelope } from "./api";
import { type Heard, hearOfApproval } from "./approval";
import { approvalPorts } from "./approval-ports";
import { nextStep } from "./outcome";
import { PAYMENT_ERROR } from "./pay";
import type { CheckoutState } from "./state";

const SETTLED: Heard = { kind: "settled" };
/** It was closed, and took nothing. */
const CANCELED = "PAYMENT_CANCELED";
const REFUSED: Heard = { kind: "refused", fault: PAYMENT_ERROR };

/** How to ask for it; null: nothing is waited for. The answer null: not yet. */
export function questionOf(state: CheckoutState): (() => Promise<Heard | null>) | null {
  if (state.step === "pending") {
    const { subscriptionId } = state;
    return async () => ofSubscription(await confirmSubscription(subscriptionId));
  }
  if (state.step !== "unheard") return null;
  const { payment, campaign } = state;
  if (payment.kind === "approval") return () => hearOfApproval(approvalPorts, payment.id);
  if (payment.kind === "pages") return () => askForRussian(campaign.product);
  return async () => {
    const answer = await confirmIntent(payment.id);
    if (!answer.ok) return null;
    if (answer.value.status) return SETTLED;
    const isOver = answer.value.data?.requiresAction || answer.value.code === CANCELED;
    return isOver ? REFUSED : null;
  };
}

function ofSubscription(answer: Answer<SubscriptionEnvelope>): Heard | null {
  const data = answer.ok ? answer.value.data : null;
  if (!data) return null;
  const step = nextStep(data).do;
  if (step === "finish") return SETTLED;
  return step === "wait" ? null : REFUSED;
}

const RUSSIAN: readonly string[] = ["yookassa", "platron"];

interface Held {
  product: string;
  status: string;
  provider: string;
}

/** Whether the member has by now what Russian providers took the money for. */
export async function askForRussian(product: string | null): Promise<Heard | null> {
  const answer = await getJson<{ subscriptions: Held[] }>("/api/subscriptions");
  if (!answer.ok) return null;
  const isPaid = (held: Held) =>
    held.status === "active" && RUSSIAN.includes(held.provider) && (product === null || held.product === product);
  return answer.value.subscriptions.some(isPaid) ? SETTLED : null;
}
