import type { Envelope } from "~/features/payment/offer/api";
import { type Fault, isOwnCode, PAYMENT_ERROR } from "~/features/payment/pay/fault";
import type { Phase } from "~/features/payment/pay/phase";
import type { Answer } from "~/lib/http/request";
import type { LinkedSubscription } from "../api";

/**
 * Confirms a subscription that was approved at PayPal. PayPal charges it from then on, so its outcome is never guessed.
 */

export interface ApprovalPorts {
  link: (approval: string) => Promise<Answer<Envelope<LinkedSubscription>>>;
  /** Sends the buyer's tracking parameters for the subscription. */
  sendTracking: (subscriptionId: string) => Promise<unknown>;
  /** The approval has a result and needs no persisting. */
  forget: (approval: string) => void;
}

/** The result of polling an unconfirmed payment. */
export type PollResult = { kind: "settled" } | { kind: "refused"; fault: Fault };

const SUCCESSFUL: readonly string[] = ["active", "trialing"];
const ENDED: readonly string[] = ["canceled", "expired"];
/** PayPal may report the approval later than the page does, or another payment of this member is running. */
const PENDING_CODES: readonly string[] = ["PAYPAL_NOT_APPROVED", "PAYMENT_IN_PROGRESS"];
const SERVER_ERROR = 500;

/** Idempotent. Null: no result yet. */
export async function pollApproval(ports: ApprovalPorts, approval: string): Promise<PollResult | null> {
  const result = await link(ports, approval);
  if (result) ports.forget(approval);
  return result;
}

async function link(ports: ApprovalPorts, approval: string): Promise<PollResult | null> {
  const answer = await ports.link(approval);
  if (!answer.ok) return refusalIn(answer.problem);
  const { status, data, code, message } = answer.value;
  if (!status) return PENDING_CODES.includes(code ?? "") ? null : refused(code, message);
  if (SUCCESSFUL.includes(data.status)) {
    await ports.sendTracking(data.subscription_id);
    return { kind: "settled" };
  }
  return ENDED.includes(data.status) ? { kind: "refused", fault: PAYMENT_ERROR } : null;
}

/** An answer with a 4xx status is a refusal; 429, 5xx and no answer are not. */
function refusalIn({ status, code, detail }: { status: number; code: string; detail: string }): PollResult | null {
  const isUnanswered = status === 0 || status === 429 || status >= SERVER_ERROR;
  return isUnanswered ? null : refused(code, detail || null);
}

/**
 * A refused approval is refunded, so its message must not claim that nothing was charged. PayPal sends codes without
 * messages.
 */
function refused(code: string | null, message: string | null): PollResult {
  if (code && !isOwnCode(code)) return { kind: "refused", fault: { code: "PAYPAL_FAILED", message: null } };
  if (code === "ALREADY_SUBSCRIBED") return { kind: "refused", fault: { code: "PAYPAL_ENDED", message: null } };
  return { kind: "refused", fault: { code: code ?? PAYMENT_ERROR.code, message } };
}

export type ApprovalOutcome = PollResult | { kind: "approvalUnconfirmed"; approval: string };

const POLL_DELAYS_MS = [500, 1_500, 3_000] as const;

interface Pace {
  pause: (ms: number) => Promise<void>;
  advance: (phase: Phase) => void;
}

export async function confirmApproval(ports: ApprovalPorts & Pace, approval: string): Promise<ApprovalOutcome> {
  ports.advance("approval");
  for (const wait of POLL_DELAYS_MS) {
    const result = await pollApproval(ports, approval);
    if (result) return result;
    await ports.pause(wait);
  }
  return (await pollApproval(ports, approval)) ?? { kind: "approvalUnconfirmed", approval };
}
