import { PAYMENT_ERROR } from "~/features/payment/pay/fault";
import { hasYookassaPlatronPurchase } from "~/features/payment/return/yookassa-platron-purchase";
import type { Answer } from "~/lib/http/request";
import { confirmIntent, confirmSubscription, type SubscriptionEnvelope } from "../api";
import { type PollResult, pollApproval } from "../paypal/approval";
import { approvalPorts } from "../paypal/approval-ports";
import type { CheckoutState } from "../state";
import { nextStep } from "./subscription-response";

const SETTLED: PollResult = { kind: "settled" };
/** The intent is closed and charged nothing. */
const CANCELED = "PAYMENT_CANCELED";
const REFUSED: PollResult = { kind: "refused", fault: PAYMENT_ERROR };

/**
 * The poll for the payment of this state; null: no payment is pending. The poll returns null while there is no result.
 */
export function pendingPaymentPoll(state: CheckoutState): (() => Promise<PollResult | null>) | null {
  if (state.step === "pending") {
    const { subscriptionId } = state;
    return async () => subscriptionResult(await confirmSubscription(subscriptionId));
  }
  if (state.step !== "unconfirmed") return null;
  const { payment, campaign } = state;
  if (payment.kind === "approval") return () => pollApproval(approvalPorts, payment.id);
  if (payment.kind === "yookassaPlatron")
    return async () => ((await hasYookassaPlatronPurchase(campaign.product)) ? SETTLED : null);
  return async () => {
    const answer = await confirmIntent(payment.id);
    if (!answer.ok) return null;
    if (answer.value.status) return SETTLED;
    const isOver = answer.value.data?.requiresAction || answer.value.code === CANCELED;
    return isOver ? REFUSED : null;
  };
}

function subscriptionResult(answer: Answer<SubscriptionEnvelope>): PollResult | null {
  const data = answer.ok ? answer.value.data : null;
  if (!data) return null;
  const step = nextStep(data).do;
  if (step === "finish") return SETTLED;
  return step === "wait" ? null : REFUSED;
}
