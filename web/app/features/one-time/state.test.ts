import { describe, expect, it } from "vitest";
import { seeded } from "~/lib/random";
import type { PaymentAttempt } from "./pay/pay-one-time";
import { attemptOf, INITIAL, type Offer, type OneTimeEvent, type OneTimeState, offerOf, reduce } from "./state";

const campaign: Offer["campaign"] = {
  customer_id: null,
  price_id: "prc_1",
  currency: "USD",
  price: 49,
  discount_rate: 0,
  default_price: 49,
  default_price_currency: "USD",
  discount_amount: 0,
  trial_days: 0,
  campaign_id: "live-program",
  period_months: 0,
  product: "live-program",
};
const offer: Offer = { campaign, last4: null };
const dearer: Offer = { campaign: { ...campaign, price_id: "prc_2", price: 59 }, last4: null };
const attempt: PaymentAttempt = { key: "key_1", body: { price_id: "prc_1" }, opened: null };
const fault = { code: "card_declined", message: "Declined." };

const events: OneTimeEvent[] = [
  { type: "offerLoaded", offer },
  { type: "offerLoaded", offer: dearer },
  { type: "signInRequired", message: "" },
  { type: "offerFailed", code: "X" },
  { type: "retried" },
  { type: "submitted" },
  { type: "rechecked" },
  { type: "phaseChanged", phase: "bank" },
  { type: "cardChosen" },
  { type: "settled" },
  { type: "refused", fault, attempt },
  { type: "refused", fault, attempt: null },
  { type: "unanswered", attempt },
  { type: "undecided", attempt },
  { type: "offerEnded", fault: { code: "QUOTE_EXPIRED", message: null } },
];

const follow = (...events: OneTimeEvent[]) => events.reduce(reduce, INITIAL);
const shown: OneTimeEvent = { type: "offerLoaded", offer };
const submitted: OneTimeEvent = { type: "submitted" };

describe("one-time checkout", () => {
  it("keeps the intent for the next card after a refusal", () => {
    const refused = follow(shown, submitted, { type: "refused", fault, attempt });
    expect(refused).toEqual({ step: "ready", offer, fault, attempt });
    expect(attemptOf(reduce(refused, { type: "cardChosen" }))).toBeNull();
  });

  it("accepts only the same attempt while our server has not answered", () => {
    const blocked = follow(shown, submitted, { type: "unanswered", attempt });
    expect(reduce(blocked, { type: "cardChosen" })).toBe(blocked);
    expect(attemptOf(blocked)).toBe(attempt);
    expect(reduce(blocked, submitted)).toMatchObject({ step: "paying" });
  });

  it("only rechecks while the payment is undecided", () => {
    const pending = follow(shown, submitted, { type: "undecided", attempt });
    expect(reduce(pending, submitted)).toBe(pending);
    expect(reduce(pending, { type: "rechecked" })).toMatchObject({ step: "paying", phase: "checking" });
  });

  it("shows the new price of an ended offer before a payment", () => {
    const ended = follow(shown, submitted, { type: "offerEnded", fault: { code: "QUOTE_EXPIRED", message: null } });
    expect(offerOf(ended)).toBe(offer);
    expect(reduce(ended, submitted)).toBe(ended);
    const now = reduce(ended, { type: "offerLoaded", offer: dearer });
    expect(now).toEqual({
      step: "ready",
      offer: dearer,
      fault: { code: "QUOTE_EXPIRED", message: null },
      attempt: null,
    });
  });

  it("keeps its invariants under any order of events", () => {
    const random = seeded(20_261_122);
    for (let life = 0; life < 2_000; life += 1) {
      let state: OneTimeState = INITIAL;
      for (let turn = 0; turn < 24; turn += 1) {
        const event = events[Math.floor(random() * events.length)] as OneTimeEvent;
        const next = reduce(state, event);
        obey(state, event, next);
        state = next;
      }
    }
  });
});

function obey(state: OneTimeState, event: OneTimeEvent, next: OneTimeState) {
  // Paid is final.
  if (state.step === "paid") expect(next).toBe(state);
  // Only a running payment becomes paid.
  if (next.step === "paid" && state.step !== "paid") expect([state.step, event.type]).toEqual(["paying", "settled"]);
  // A payment starts from a form with an offer, or from a recheck.
  if (next.step === "paying" && state.step !== "paying")
    expect(["ready", "mustResend", "pending"]).toContain(state.step);
  // An undecided attempt is kept until its result.
  if (state.step === "mustResend" || state.step === "pending") {
    expect(next.step === "paying" || next === state).toBe(true);
  }
  // Only a new offer changes the shown price.
  const [before, now] = [offerOf(state), offerOf(next)];
  if (before && now && before !== now) expect(event.type).toBe("offerLoaded");
}
