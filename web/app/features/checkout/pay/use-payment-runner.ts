import { type Dispatch, type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { pollUntil } from "~/lib/browser/poll-until";
import type { ApprovalOutcome } from "../paypal/approval";
import type { CheckoutEvent, CheckoutState } from "../state";
import { outcomeEvent } from "./outcome";
import type { Attempt, Outcome } from "./pay";
import type { IntentOutcome } from "./pay-intent";
import { pendingPaymentPoll } from "./pending-payment";

export type AnyOutcome = Outcome | IntentOutcome | ApprovalOutcome;

export interface PaymentRunner {
  /** The attempt that got no answer: the next submit sends it again unchanged. */
  unanswered: RefObject<Attempt | null>;
  isBusy: RefObject<boolean>;
  /** Ignored while another payment runs. */
  run: (start: CheckoutEvent, work: () => Promise<AnyOutcome>) => Promise<void>;
}

/** Runs one payment at a time and polls a payment whose outcome is unknown. `onPaid` is called once for each paid order. */
export function usePaymentRunner(
  state: CheckoutState,
  dispatch: Dispatch<CheckoutEvent>,
  onPaid: () => void,
): PaymentRunner {
  const unanswered = useRef<Attempt | null>(null);
  const isBusy = useRef(false);

  const finish = (outcome: AnyOutcome) => {
    unanswered.current = outcome.kind === "unknown" ? outcome.attempt : null;
    dispatch(outcomeEvent(outcome));
    if (outcome.kind === "settled") onPaid();
  };

  const finishPolled = useEffectEvent(finish);
  useEffect(() => {
    const poll = pendingPaymentPoll(state);
    if (!poll) return;
    const stop = new AbortController();
    void pollUntil(poll, stop.signal).then((result) => result && finishPolled(result));
    return () => stop.abort();
  }, [state]);

  const run = async (start: CheckoutEvent, work: () => Promise<AnyOutcome>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    dispatch(start);
    finish(await work());
    isBusy.current = false;
  };

  return { unanswered, isBusy, run };
}
