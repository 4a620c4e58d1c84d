import type { Envelope } from "~/features/payment/offer/api";
import { type Fault, isOwnCode, PAYMENT_ERROR } from "~/features/payment/pay/fault";
import type { Phase } from "~/features/payment/pay/phase";
import type { Answer } from "~/lib/http/request";
import type { Linked } from "../api";

/** What becomes of a subscription that somebody has agreed to at PayPal. From then on PayPal takes the money: nothing is guessed. */

export interface ApprovalPorts {
  link: (approval: string) => Promise<Answer<Envelope<Linked>>>;
  /** Where the buyer came from, told of the subscription as it is known to us. */
  describe: (subscriptionId: string) => Promise<unknown>;
  /** It is answered: nobody has to remember it any more. */
  forget: (approval: string) => void;
}

/** What becomes of a payment that nobody has answered yet. */
export type Heard = { kind: "settled" } | { kind: "refused"; fault: Fault };

const SUCCESSFUL: readonly string[] = ["active", "trialing"];
const OVER: readonly string[] = ["canceled", "expired"];
/** PayPal may tell its own answer later than the page does; another payment of the same person is on its way. */
const NOT_YET: readonly string[] = ["PAYPAL_NOT_APPROVED", "PAYMENT_IN_PROGRESS"];
const UNANSWERED = 500;

/** Asks once; asking again is harmless. Null: nobody knows yet. */
export async function hearOfApproval(ports: ApprovalPorts, approval: string): Promise<Heard | null> {
  const heard = await ask(ports, approval);
  if (heard) ports.forget(approval);
  return heard;
}

async function ask(ports: ApprovalPorts, approval: string): Promise<Heard | null> {
  const answer = await ports.link(approval);
  if (!answer.ok) return refusalIn(answer.problem);
  const { status, data, code, message } = answer.value;
  if (!status) return NOT_YET.includes(code ?? "") ? null : refused(code, message);
  if (SUCCESSFUL.includes(data.status)) {
    await ports.describe(data.subscription_id);
    return { kind: "settled" };
  }
  return OVER.includes(data.status) ? { kind: "refused", fault: PAYMENT_ERROR } : null;
}

/** An answer with an error status is still an answer; too many questions, and silence, are none. */
function refusalIn({ status, code, detail }: { status: number; code: string; detail: string }): Heard | null {
  const isSilence = status === 0 || status === 429 || status >= UNANSWERED;
  return isSilence ? null : refused(code, detail || null);
}

/** What PayPal has taken goes back: nobody is told that nothing was. Our own codes are in capitals. PayPal gives its reasons no words: ours are in the reader's language. */
function refused(code: string | null, message: string | null): Heard {
  if (code && !isOwnCode(code)) return { kind: "refused", fault: { code: "PAYPAL_FAILED", message: null } };
  if (code === "ALREADY_SUBSCRIBED") return { kind: "refused", fault: { code: "PAYPAL_ENDED", message: null } };
  return { kind: "refused", fault: { code: code ?? PAYMENT_ERROR.code, message } };
}

export type ApprovalOutcome = Heard | { kind: "approvalSilent"; approval: string };

const ASK_AGAIN_AFTER_MS = [500, 1_500, 3_000] as const;

interface Pace {
  pause: (ms: number) => Promise<void>;
  advance: (phase: Phase) => void;
}

export async function settleApproval(ports: ApprovalPorts & Pace, approval: string): Promise<ApprovalOutcome> {
  ports.advance("approval");
  for (const wait of ASK_AGAIN_AFTER_MS) {
    const heard = await hearOfApproval(ports, approval);
    if (heard) return heard;
    await ports.pause(wait);
  }
  return (await hearOfApproval(ports, approval)) ?? { kind: "approvalSilent", approval };
}
