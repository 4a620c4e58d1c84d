import { isOfferEnded } from "~/features/payment/offer/offer";
import { type ConfirmationResult, UNKNOWN } from "~/features/payment/pay/confirmation";
import { type Fault, PAYMENT_ERROR } from "~/features/payment/pay/fault";
import type { Phase } from "~/features/payment/pay/phase";
import { sendUntilAnswered } from "~/features/payment/pay/send-until-answered";
import { type Answer, NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import type { Body, Opened } from "../api";
import type { Conclusion } from "../state";

/** One payment of what is sold once, from card to verdict, told in order. What it needs from outside comes in as ports. */

/** One attempt: what was sent under which key, and what our server opened by it. Many cards may pay it, once. */
export interface Held {
  key: string;
  body: Body;
  opened: Opened | null;
}

export interface PayOncePorts {
  /** The card of the form at the provider; null where the card kept there is charged. */
  card: () => Promise<{ id: string } | { error: Fault } | null>;
  open: (held: Held) => Promise<Answer<OpenReply>>;
  confirm: (secret: string, paymentMethodId: string | null) => Promise<ConfirmationResult>;
  /** What our server, or else the provider, says has become of it. */
  look: (held: Held) => Promise<string>;
  /** Tells our server that it may look; what it answers changes nothing. */
  tell: (opened: Opened) => Promise<void>;
  pause: (ms: number) => Promise<void>;
  advance: (phase: Phase) => void;
}

export type OpenReply = { opened: Opened } | { refused: Fault };

const LOOK_AGAIN_AFTER_MS = [1_000, 2_000, 3_000, 5_000, 5_000, 5_000] as const;
/** Whoever lost the connection is told so, and not that nothing was charged. */
const CONNECTION_LOST: Fault = { code: NETWORK_FAILURE, message: null };
const OFFER_ENDED: Conclusion = { type: "offerEnded", fault: { code: "QUOTE_EXPIRED", message: null } };

export async function payOnce(ports: PayOncePorts, held: Held): Promise<Conclusion> {
  const card = await ports.card();
  if (card && "error" in card) return { type: "refused", fault: card.error, held };
  if (held.opened) return finish(ports, held, held.opened, card?.id ?? null);

  ports.advance("order");
  const answer = await sendUntilAnswered({ send: () => ports.open(held), refusalOf: asRefusal, pause: ports.pause });
  if (!answer.ok) return { type: "unanswered", held };
  if ("refused" in answer.value) return refusal(answer.value.refused);
  const { opened } = answer.value;
  return finish(ports, { ...held, opened }, opened, card?.id ?? null);
}

/** Asks again what became of a payment that nobody knew of. */
export async function watch(ports: Pick<PayOncePorts, "look" | "pause" | "advance">, held: Held): Promise<Conclusion> {
  return lookUntilDecided(ports, held, CONNECTION_LOST);
}

/** Refused is only what was not begun: the next attempt is another. */
function refusal(fault: Fault): Conclusion {
  return isOfferEnded(fault.code) ? OFFER_ENDED : { type: "refused", fault, held: null };
}

function asRefusal({ code, detail }: Problem): OpenReply {
  return { refused: { code, message: detail || null } };
}

async function finish(
  ports: PayOncePorts,
  held: Held,
  opened: Opened,
  paymentMethodId: string | null,
): Promise<Conclusion> {
  if (opened.status === "succeeded") return { type: "settled" };
  if (!opened.secret) return lookUntilDecided(ports, held, PAYMENT_ERROR);
  ports.advance("bank");
  const verdict = await ports.confirm(opened.secret, paymentMethodId);
  if ("error" in verdict) return { type: "refused", fault: verdict.error, held };
  if (verdict.status === UNKNOWN) return lookUntilDecided(ports, held, CONNECTION_LOST);
  if (verdict.status !== "succeeded") return lookUntilDecided(ports, held, PAYMENT_ERROR);
  ports.advance("checking");
  // The money has moved. Without this the provider's notification settles the order.
  await ports.tell(opened);
  return { type: "settled" };
}

async function lookUntilDecided(
  ports: Pick<PayOncePorts, "look" | "pause" | "advance">,
  held: Held,
  unpaid: Fault,
): Promise<Conclusion> {
  ports.advance("checking");
  for (const wait of LOOK_AGAIN_AFTER_MS) {
    const status = await ports.look(held);
    if (status === "succeeded") return { type: "settled" };
    if (status === "canceled") return OFFER_ENDED;
    if (status.startsWith("requires_")) return { type: "refused", fault: unpaid, held };
    await ports.pause(wait);
  }
  return { type: "undecided", held };
}
