import type { Envelope } from "~/features/payment/offer/api";
import { type Fault, isOwnCode, PAYMENT_ERROR } from "~/features/payment/pay/fault";
import type { Phase } from "~/features/payment/pay/phase";
import type { Answer } from "~/lib/http/request";
import type { LinkedSubscription } from "../api";

/** What becomes of a subscription that somebody has agreed to at PayPal. From then on PayPal takes the money: nothing is guessed. */

export interface ApprovalPorts {
  link: (approval: string) => Promise<Answer<Envelope<LinkedSubscription>>>;
  /** Where the buyer came from, told of the subscription as it is known to us. */
  sendTracking: (subscriptionId: string) => Promise<unknown>;
  /** It is answered: nobody has to remember it any more. */
  forget: (approval: string) => void;
}

/** What becomes of a payment that nobody has answered yet. */
export type PollResult = { kind: "settled" } | { kind: "refused"; fault: Fault };

const SUCCESSFUL: readonly string[] = ["active", "trialing"];
const ENDED: readonly string[] = ["canceled", "expired"];
/** PayPal may tell its own answer later than the page does; another payment of the same person is on its way. */
const PENDING_CODES: readonly string[] = ["PAYPAL_NOT_APPROVED", "PAYMENT_IN_PROGRESS"];
const SERVER_ERROR = 500;

/** Asks once; asking again is harmless. Null: nobody knows yet. */
export async function pollApproval(ports: ApprovalPorts, approval: string): Promise<PollResult | null> {
  const heard = await link(ports, approval);
  if (heard) ports.forget(approval);
  return heard;
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

/** An answer with an error status is still an answer; too many questions, and silence, are none. */
function refusalIn({ status, code, detail }: { status: number; code: string; detail: string }): PollResult | null {
  const isUnanswered = status === 0 || status === 429 || status >= SERVER_ERROR;
  return isUnanswered ? null : refused(code, detail || null);
}

/** What PayPal has taken goes back: nobody is told that nothing was. Our own codes are in capitals. PayPal gives its reasons no words: ours are in the reader's language. */
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
    const heard = await pollApproval(ports, approval);
    if (heard) return heard;
    await ports.pause(wait);
  }
  return (await pollApproval(ports, approval)) ?? { kind: "approvalUnconfirmed", approval };
}
