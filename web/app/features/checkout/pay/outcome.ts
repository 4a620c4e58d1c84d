import { isOfferEnded, offerEndedCode } from "~/features/payment/offer/offer";
import type { ApprovalOutcome } from "../paypal/approval";
import type { CheckoutEvent } from "../state";
import type { Outcome } from "./pay";
import type { IntentOutcome } from "./pay-intent";

/** Maps the outcome of a payment to a state event. */
export function outcomeEvent(outcome: Outcome | IntentOutcome | ApprovalOutcome): CheckoutEvent {
  switch (outcome.kind) {
    case "settled":
      return { type: "settled" };
    case "bankTimedOut":
      return { type: "bankTimedOut", subscriptionId: outcome.subscriptionId };
    case "intentUnconfirmed":
      return { type: "intentUnconfirmed", intentId: outcome.intentId };
    case "approvalUnconfirmed":
      return { type: "approvalUnconfirmed", approval: outcome.approval };
    case "intentClosed":
      return { type: "intentFailed", fault: outcome.fault };
    case "refused":
    case "unknown": {
      const { code } = outcome.fault;
      if (!isOfferEnded(code)) return { type: "refused", fault: outcome.fault };
      return { type: "offerEnded", fault: { code: offerEndedCode(code), message: null } };
    }
  }
}
