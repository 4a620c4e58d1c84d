/** The next step after a subscription response. The specification defines the order of the rules. */

export interface SubscriptionResponse {
  status: string;
  paymentStatus: string | null;
  clientSecret: string | null;
  setupIntentSecret: string | null;
  paymentIntentId: string | null;
  subscription_id: string;
}

export type NextStep =
  | { do: "confirmPayment"; secret: string }
  | { do: "confirmSetup"; secret: string }
  | { do: "finish" }
  | { do: "wait" }
  | { do: "fail" };

const NEEDS_CONFIRMATION: readonly (string | null)[] = [
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
];
const SUCCESSFUL: readonly string[] = ["trialing", "active"];

export function nextStep(answer: SubscriptionResponse): NextStep {
  if (NEEDS_CONFIRMATION.includes(answer.paymentStatus) && answer.clientSecret) {
    return { do: "confirmPayment", secret: answer.clientSecret };
  }
  if (answer.status === "trialing" && answer.setupIntentSecret) {
    return { do: "confirmSetup", secret: answer.setupIntentSecret };
  }
  if (SUCCESSFUL.includes(answer.status) || answer.paymentStatus === "succeeded") return { do: "finish" };
  if (answer.paymentStatus === "processing") return { do: "wait" };
  return { do: "fail" };
}
