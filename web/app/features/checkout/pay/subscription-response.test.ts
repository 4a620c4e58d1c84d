import { describe, expect, it } from "vitest";
import { type NextStep, nextStep, type SubscriptionResponse } from "./subscription-response";

const answer: SubscriptionResponse = {
  status: "incomplete",
  paymentStatus: null,
  clientSecret: null,
  setupIntentSecret: null,
  paymentIntentId: null,
  subscription_id: "sub_1",
};
const pay: NextStep = { do: "confirmPayment", secret: "pi" };
const setUp: NextStep = { do: "confirmSetup", secret: "seti" };

const table: [string, Partial<SubscriptionResponse>, NextStep][] = [
  ["a card is missing", { paymentStatus: "requires_payment_method", clientSecret: "pi" }, pay],
  ["a confirmation is missing", { paymentStatus: "requires_confirmation", clientSecret: "pi" }, pay],
  ["the bank wants to ask", { paymentStatus: "requires_action", clientSecret: "pi" }, pay],
  [
    "confirmation comes before a setup",
    { status: "trialing", paymentStatus: "requires_confirmation", clientSecret: "pi", setupIntentSecret: "seti" },
    pay,
  ],
  ["a trial wants its card set up", { status: "trialing", setupIntentSecret: "seti" }, setUp],
  ["a trial runs", { status: "trialing" }, { do: "finish" }],
  ["it is active", { status: "active", paymentStatus: "succeeded" }, { do: "finish" }],
  ["the money came before the status", { paymentStatus: "succeeded" }, { do: "finish" }],
  ["the bank takes its time", { paymentStatus: "processing" }, { do: "wait" }],
  ["it is incomplete", {}, { do: "fail" }],
  ["a confirmation has no secret", { paymentStatus: "requires_action" }, { do: "fail" }],
  ["the status is unknown", { status: "paused" }, { do: "fail" }],
];

describe("the next step", () => {
  it.each(table)("when %s", (_, change, expected) => {
    expect(nextStep({ ...answer, ...change })).toEqual(expected);
  });
});
