import { describe, expect, it } from "vitest";
import type { Campaign } from "~/features/payment/offer/offer";
import { seeded } from "~/lib/random";
import { type CheckoutEvent, type CheckoutState, INITIAL, reduce } from "./state";

const campaign: Campaign = {
  customer_id: null,
  price_id: "prc_1",
  currency: "USD",
  price: 69.99,
  discount_rate: 55,
  default_price: 155.88,
  default_price_currency: "USD",
  discount_amount: 85.89,
  trial_days: 7,
  campaign_id: "web-annual",
  period_months: 12,
  product: "premium",
};

const events: CheckoutEvent[] = [
  { type: "campaignLoaded", campaign },
  { type: "signInRequired", message: "" },
  { type: "therapyMemberDetected", memberHome: "/en/success/counseling-welcome/" },
  { type: "campaignFailed", code: "X" },
  { type: "retried" },
  { type: "submitted" },
  { type: "phaseChanged", phase: "bank" },
  { type: "refused", fault: { code: "card_declined", message: "Declined." } },
  { type: "offerEnded", fault: { code: "QUOTE_EXPIRED", message: null } },
  { type: "bankTimedOut", subscriptionId: "sub_1" },
  { type: "rechecked" },
  { type: "approvalRequested" },
  { type: "approvalCanceled" },
  { type: "approvalFailed", fault: { code: "PAYPAL_FAILED", message: null } },
  { type: "approvalUnconfirmed", approval: "I-1" },
  { type: "settled" },
];

const follow = (...types: CheckoutEvent["type"][]) =>
  types.reduce<CheckoutState>((state, type) => {
    const event = events.find((candidate) => candidate.type === type);
    return event ? reduce(state, event) : state;
  }, INITIAL);

describe("checkout", () => {
  it("shows the form once the offer is loaded", () => {
    expect(follow("campaignLoaded")).toEqual({ step: "ready", campaign, fault: null });
  });

  it("returns to the form with the reason after a refusal", () => {
    const refused = follow("campaignLoaded", "submitted", "refused");
    expect(refused).toMatchObject({ step: "ready", fault: { message: "Declined." } });
    expect(reduce(refused, { type: "submitted" })).toMatchObject({ step: "paying", phase: "card" });
  });

  it("reloads an ended offer, and accepts no payment before the new one is shown", () => {
    const ended = follow("campaignLoaded", "submitted", "offerEnded");
    expect(ended).toMatchObject({ step: "loading", fault: { code: "QUOTE_EXPIRED" } });
    expect(reduce(ended, { type: "submitted" })).toBe(ended);
    const dearer = { ...campaign, price: 79.99 };
    const shown = reduce(ended, { type: "campaignLoaded", campaign: dearer });
    expect(shown).toEqual({ step: "ready", campaign: dearer, fault: { code: "QUOTE_EXPIRED", message: null } });
  });

  it("ignores a second submit while paying", () => {
    const paying = follow("campaignLoaded", "submitted", "phaseChanged");
    expect(reduce(paying, { type: "submitted" })).toBe(paying);
  });

  it("waits after a bank timeout and can recheck", () => {
    expect(follow("campaignLoaded", "submitted", "bankTimedOut")).toMatchObject({
      step: "pending",
      subscriptionId: "sub_1",
    });
    expect(follow("campaignLoaded", "submitted", "bankTimedOut", "rechecked", "settled")).toMatchObject({
      step: "paid",
    });
  });

  it("returns to an unchanged form when the buyer closes a wallet or PayPal", () => {
    expect(follow("campaignLoaded", "approvalRequested")).toMatchObject({ step: "awaitingApproval" });
    expect(follow("campaignLoaded", "approvalRequested", "approvalCanceled")).toEqual({
      step: "ready",
      campaign,
      fault: null,
    });
  });

  it("shows the fault when a wallet or PayPal fails", () => {
    expect(follow("campaignLoaded", "approvalRequested", "approvalFailed")).toMatchObject({
      step: "ready",
      fault: { code: "PAYPAL_FAILED" },
    });
  });

  it("cannot cancel after an approval", () => {
    const agreed = follow("campaignLoaded", "approvalRequested", "submitted");
    for (const type of ["approvalCanceled", "approvalFailed", "approvalRequested"] as const) {
      expect(follow("campaignLoaded", "approvalRequested", "submitted", type)).toEqual(agreed);
    }
  });

  it("does not guess the outcome of an approval", () => {
    expect(follow("campaignLoaded", "approvalRequested", "submitted", "approvalUnconfirmed")).toMatchObject({
      step: "unconfirmed",
      payment: { kind: "approval", id: "I-1" },
    });
  });

  it("restores an approval that was made before a reload", () => {
    const found = reduce(INITIAL, { type: "approvalRestored", campaign, approval: "I-1" });
    expect(found).toEqual({ step: "unconfirmed", campaign, payment: { kind: "approval", id: "I-1" } });
    expect(reduce(found, { type: "settled" })).toEqual({ step: "paid", campaign });
    const fault = { code: "PAYPAL_NOT_APPROVED", message: null };
    expect(reduce(found, { type: "refused", fault })).toEqual({ step: "ready", campaign, fault });
    expect(reduce(found, { type: "submitted" })).toBe(found);
  });

  it("reloads the offer after a failure", () => {
    expect(follow("campaignFailed", "retried")).toEqual(INITIAL);
  });
});

describe("any order of events", () => {
  const random = seeded(20261120);
  const pick = () => events[Math.floor(random() * events.length)] as CheckoutEvent;

  it("keeps the rules", () => {
    let state: CheckoutState = INITIAL;
    for (let step = 0; step < 20_000; step += 1) {
      // Two of the states end a visit; then another visit starts.
      if (state.step === "paid" || state.step === "visitor") state = random() < 0.5 ? INITIAL : state;
      const event = pick();
      const next = reduce(state, event);
      if (state.step === "paid" || state.step === "visitor") expect(next).toBe(state);
      if (next.step === "paid" && state.step !== "paid") {
        expect(state.step).toBe("paying");
        expect(event.type).toBe("settled");
      }
      if (next.step === "paying" && state.step !== "paying") {
        expect(["ready", "pending", "awaitingApproval"]).toContain(state.step);
      }
      if (state.step === "paying" && next.step === "ready") expect(next.fault).not.toBeNull();
      state = next;
    }
  });
});
