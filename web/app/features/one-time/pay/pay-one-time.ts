import { isOfferEnded } from "~/features/payment/offer/offer";
import { type ConfirmationResult, UNKNOWN } from "~/features/payment/pay/confirmation";
import { type Fault, PAYMENT_ERROR } from "~/features/payment/pay/fault";
import type { Phase } from "~/features/payment/pay/phase";
import { sendUntilAnswered } from "~/features/payment/pay/send-until-answered";
import { type Answer, NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import type { IntentFields, OpenedIntent } from "../api";
import type { OneTimeOutcome } from "../state";

/** Pays one one-time purchase, from card to outcome. The ports are its only side effects. */

/**
 * One attempt: its idempotency key, its fields and the intent they created. Several cards may be tried; only one pays.
 */
export interface PaymentAttempt {
  key: string;
  body: IntentFields;
  opened: OpenedIntent | null;
}

export interface PayOneTimePorts {
  /** Creates the card at Stripe; null when the saved card is charged. */
  createCard: () => Promise<{ id: string } | { error: Fault } | null>;
  createIntent: (attempt: PaymentAttempt) => Promise<Answer<IntentReply>>;
  confirm: (secret: string, paymentMethodId: string | null) => Promise<ConfirmationResult>;
  /** The status on our server, or else at the provider. */
  pollStatus: (attempt: PaymentAttempt) => Promise<string>;
  /** Makes our server check the intent; its response is ignored. */
  notifyServer: (opened: OpenedIntent) => Promise<void>;
  pause: (ms: number) => Promise<void>;
  advance: (phase: Phase) => void;
}

export type IntentReply = { opened: OpenedIntent } | { refused: Fault };

const POLL_DELAYS_MS = [1_000, 2_000, 3_000, 5_000, 5_000, 5_000] as const;
/** A lost connection must not be reported as "nothing was charged". */
const CONNECTION_LOST: Fault = { code: NETWORK_FAILURE, message: null };
const OFFER_ENDED: OneTimeOutcome = { type: "offerEnded", fault: { code: "QUOTE_EXPIRED", message: null } };

export async function payOneTime(ports: PayOneTimePorts, attempt: PaymentAttempt): Promise<OneTimeOutcome> {
  const card = await ports.createCard();
  if (card && "error" in card) return { type: "refused", fault: card.error, attempt };
  if (attempt.opened) return finish(ports, attempt, attempt.opened, card?.id ?? null);

  ports.advance("order");
  const answer = await sendUntilAnswered({
    send: () => ports.createIntent(attempt),
    refusalOf: asRefusal,
    pause: ports.pause,
  });
  if (!answer.ok) return { type: "unanswered", attempt };
  if ("refused" in answer.value) return refusalOutcome(answer.value.refused);
  const { opened } = answer.value;
  return finish(ports, { ...attempt, opened }, opened, card?.id ?? null);
}

/** Polls an undecided payment again. */
export async function recheckAttempt(
  ports: Pick<PayOneTimePorts, "pollStatus" | "pause" | "advance">,
  attempt: PaymentAttempt,
): Promise<OneTimeOutcome> {
  return pollUntilDecided(ports, attempt, CONNECTION_LOST);
}

/** A refused intent was never created: the next attempt is a new one. */
function refusalOutcome(fault: Fault): OneTimeOutcome {
  return isOfferEnded(fault.code) ? OFFER_ENDED : { type: "refused", fault, attempt: null };
}

function asRefusal({ code, detail }: Problem): IntentReply {
  return { refused: { code, message: detail || null } };
}

async function finish(
  ports: PayOneTimePorts,
  attempt: PaymentAttempt,
  opened: OpenedIntent,
  paymentMethodId: string | null,
): Promise<OneTimeOutcome> {
  if (opened.status === "succeeded") return { type: "settled" };
  if (!opened.secret) return pollUntilDecided(ports, attempt, PAYMENT_ERROR);
  ports.advance("bank");
  const result = await ports.confirm(opened.secret, paymentMethodId);
  if ("error" in result) return { type: "refused", fault: result.error, attempt };
  if (result.status === UNKNOWN) return pollUntilDecided(ports, attempt, CONNECTION_LOST);
  if (result.status !== "succeeded") return pollUntilDecided(ports, attempt, PAYMENT_ERROR);
  ports.advance("checking");
  // The money has moved. Without this call the provider's webhook settles the order.
  await ports.notifyServer(opened);
  return { type: "settled" };
}

async function pollUntilDecided(
  ports: Pick<PayOneTimePorts, "pollStatus" | "pause" | "advance">,
  attempt: PaymentAttempt,
  unpaid: Fault,
): Promise<OneTimeOutcome> {
  ports.advance("checking");
  for (const wait of POLL_DELAYS_MS) {
    const status = await ports.pollStatus(attempt);
    if (status === "succeeded") return { type: "settled" };
    if (status === "canceled") return OFFER_ENDED;
    if (status.startsWith("requires_")) return { type: "refused", fault: unpaid, attempt };
    await ports.pause(wait);
  }
  return { type: "undecided", attempt };
}
