import { describe, expect, it } from "vitest";
import { viewOrder } from "../order/order-view";
import { amountsOf, type Campaign, isOfferEnded, offerEndedCode, timelineOf } from "./offer";

const campaign: Campaign = {
  customer_id: null,
  price_id: "prc_1",
  currency: "TRY",
  price: 999.99,
  discount_rate: 58,
  default_price: 2399.88,
  default_price_currency: "TRY",
  discount_amount: 1399.89,
  trial_days: 7,
  campaign_id: "web-annual",
  period_months: 12,
  product: "premium",
};

describe("an order", () => {
  it("costs nothing today during a trial", () => {
    expect(amountsOf(campaign).dueToday.minor).toBe(0);
    expect(amountsOf({ ...campaign, trial_days: 0 }).dueToday.minor).toBe(99_999);
  });

  it("has the dates of a trial across the end of a month", () => {
    const timeline = timelineOf(7, new Date(2026, 10, 27));
    expect(timeline?.reminder).toEqual(new Date(2026, 11, 1));
    expect(timeline?.charge).toEqual(new Date(2026, 11, 4));
    expect(timelineOf(0, new Date())).toBeNull();
  });

  it.each([1, 2, 3])("reminds at once in a trial of %i days", (days) => {
    const today = new Date(2026, 10, 27);
    expect(timelineOf(days, today)?.reminder).toEqual(today);
  });

  it("is formatted in the visitor's language", () => {
    const order = viewOrder(campaign, "tr", new Date(2026, 10, 20));
    expect(order).toMatchObject({
      dueToday: "0\u00a0₺",
      price: "999,99\u00a0₺",
      list: "2.399,88\u00a0₺",
      saving: "1.399,89\u00a0₺",
      savingRate: "%58",
      timeline: {
        today: { text: "20 Kasım", iso: "2026-11-20" },
        reminder: { text: "24 Kasım", iso: "2026-11-24" },
        charge: { text: "27 Kasım", iso: "2026-11-27" },
      },
    });
  });

  it("shows no saving without a discount", () => {
    const order = viewOrder(
      { ...campaign, default_price: 999.99, discount_amount: 0, discount_rate: 0 },
      "en",
      new Date(),
    );
    expect(order.list).toBeNull();
    expect(order.saving).toBeNull();
  });
});

describe("a refusal", () => {
  it("of a used trial reloads the offer without it, and says so", () => {
    expect(isOfferEnded("TRIAL_ALREADY_USED")).toBe(true);
    expect(offerEndedCode("TRIAL_ALREADY_USED")).toBe("TRIAL_ALREADY_USED");
  });

  it("ends the offer when its price or coupon is no longer valid, and only then", () => {
    for (const code of ["QUOTE_EXPIRED", "QUOTE_INVALID", "UNKNOWN_PRICE", "UNKNOWN_COUPON", "COUPON_EXHAUSTED"]) {
      expect(isOfferEnded(code), code).toBe(true);
      expect(offerEndedCode(code)).toBe("QUOTE_EXPIRED");
    }
    for (const code of ["card_declined", "PAYMENT_IN_PROGRESS", "NETWORK_FAILURE", "V100"]) {
      expect(isOfferEnded(code), code).toBe(false);
    }
  });
});
