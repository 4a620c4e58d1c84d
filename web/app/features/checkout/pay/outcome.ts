import { endedCode, isOfferEnded } from "~/features/payment/offer/offer";
import type { ApprovalOutcome } from "../paypal/approval";
import type { CheckoutEvent } from "../state";
import type { Outcome } from "./pay";
import type { DirectOutcome } from "./pay-intent";

/** What a payment's outcome means for what is on the screen. */
export function conclusionOf(outcome: Outcome | DirectOutcome | ApprovalOutcome): CheckoutEvent {
  switch (outcome.kind) {
    case "settled":
      return { type: "settled" };
    case "bankSilent":
      return { type: "bankSilent", subscriptionId: outcome.subscriptionId };
    case "intentSilent":
      return { type: "intentSilent", intentId: outcome.intentId };
    case "approvalSilent":
      return { type: "approvalSilent", approval: outcome.approval };
    case "spent":
      return { type: "intentFailed", fault: outcome.fault };
    case "refused":
    case "unknown": {
      const { code } = outcome.fault;
      if (!isOfferEnded(code)) return { type: "refused", fault: outcome.fault };
      return { type: "offerEnded", fault: { code: endedCode(code), message: null } };
    }
  }
}
