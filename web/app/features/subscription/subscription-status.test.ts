import { describe, expect, it } from "vitest";
import type { Purchase, Subscription } from "./api";
import { overdue, sample, scheduled } from "./subscription-fixture";
import {
  availableActions,
  groupSubscriptions,
  isManagedElsewhere,
  isOverdue,
  monthsAfter,
  nextEvent,
  ownsLifetime,
  pauseOptions,
} from "./subscription-status";

const now = new Date("2026-11-22T10:00:00Z");
const end = "2026-12-10T12:00:00Z";
const later = "2027-01-22T00:00:00Z";

describe("the next event", () => {
  it.each([
    ["renews", sample(), end],
    ["firstCharge", sample({ status: "trialing" }), end],
    ["renews", sample({ provider: "yookassa" }), end],
    ["renews", sample({ provider: "platron" }), end],
    ["ends", sample({ provider: "yookassa", renews: false }), end],
    ["ends", sample({ cancel_at: end }), end],
    ["ends", sample({ status: "trialing", cancel_at: end }), end],
    ["paused", sample({ paused_until: later }), later],
    ["ends", sample({ paused_until: later, cancel_at: end }), end],
    ["changes", sample({ scheduled_plan: scheduled }), scheduled.starts_at],
    ["overdue", sample({ scheduled_plan: scheduled, overdue }), overdue.access_until],
    ["overdue", sample({ status: "past_due", overdue }), overdue.access_until],
    ["needsCard", sample({ overdue: { ...overdue, needs_new_card: true } }), overdue.access_until],
    ["overdue", sample({ status: "past_due" }), end],
    ["overdue", sample({ provider: "yookassa", available_actions: ["cancel"], overdue }), overdue.access_until],
    ["lapses", withoutCard("yookassa"), overdue.access_until],
    ["lapses", withoutCard("platron"), overdue.access_until],
  ])("%s", (kind, subscription, at) => {
    expect(nextEvent(subscription, now)).toEqual({ kind, at });
  });

  it.each([
    ["ended", sample({ status: "canceled", current_period_end: null })],
    ["ended", sample({ status: "expired", current_period_end: null })],
    ["unconfirmed", sample({ status: "incomplete", current_period_end: null })],
    ["renewing", sample({ current_period_end: "2026-11-22T09:59:00Z" })],
    ["renewing", sample({ current_period_end: "2026-11-22T09:59:00Z", scheduled_plan: scheduled })],
  ])("%s, without a date", (kind, subscription) => {
    expect(nextEvent(subscription, now)).toEqual({ kind });
  });
});

/** Overdue, with a payment method that is not charged again and cannot be replaced. */
function withoutCard(provider: Subscription["provider"]): Subscription {
  return sample({ provider, available_actions: ["cancel"], overdue: { ...overdue, needs_new_card: true } });
}

describe("an overdue subscription", () => {
  it.each([
    [true, sample({ overdue })],
    [true, sample({ status: "past_due" })],
    [true, sample({ overdue: { ...overdue, needs_new_card: true } })],
    [true, withoutCard("yookassa")],
    [false, sample()],
    [false, sample({ cancel_at: end })],
  ])("is one with an unpaid renewal: %s", (is, subscription) => {
    expect(isOverdue(subscription, now)).toBe(is);
  });
});

describe("whether a subscription is managed elsewhere", () => {
  const paypal = sample({ provider: "paypal", available_actions: [] });

  it.each([
    ["it renews without an action", true, paypal],
    ["it can be cancelled here", false, { ...paypal, available_actions: ["cancel" as const] }],
    ["it is cancelled", false, { ...paypal, cancel_at: end, renews: false }],
    ["YooKassa saved no payment method", false, { ...paypal, provider: "yookassa" as const, renews: false }],
    ["Platron saved no payment method", false, { ...paypal, provider: "platron" as const, renews: false }],
    ["it is paid by card", false, { ...paypal, provider: "stripe" as const }],
  ])("where %s: %s", (_, is, subscription) => {
    expect(isManagedElsewhere(subscription)).toBe(is);
  });
});

describe("whether a lifetime purchase is owned", () => {
  const receipt = { payment_id: "pay_2", paid_at: null, amount: 199.99, currency: "USD", reason: "first" };
  const bought = (change: Partial<Purchase> = {}): Purchase => ({
    order_id: "ord_2",
    kind: "lifetime",
    product: "premium-lifetime",
    provider: "stripe",
    refunded: null,
    receipts: [receipt],
    ...change,
  });

  it.each([
    ["it is paid", true, bought()],
    ["a part is refunded", true, bought({ refunded: 199.98 })],
    ["it is refunded in full", false, bought({ refunded: 199.99 })],
    ["it is a session", false, bought({ kind: "addition", product: "therapy-session" })],
  ])("where %s: %s", (_, is, purchase) => {
    expect(ownsLifetime([purchase])).toBe(is);
  });

  it("where it was bought again after a refund", () => {
    expect(ownsLifetime([bought({ refunded: 199.99 }), bought({ order_id: "ord_3" })])).toBe(true);
  });
});

describe("the available actions", () => {
  it.each([
    ["while it runs", sample(), ["card", "plan", "pause", "cancel"]],
    ["on trial", sample({ status: "trialing", available_actions: ["card", "cancel"] }), ["card", "cancel"]],
    [
      "at a provider that ends it and no more",
      sample({ provider: "paypal", available_actions: ["cancel"] }),
      ["cancel"],
    ],
    ["at a provider without changes", sample({ provider: "yookassa", available_actions: [] }), []],
    ["at YooKassa", sample({ provider: "yookassa", available_actions: ["cancel", "pause"] }), ["pause", "cancel"]],
    [
      "at Platron",
      sample({ provider: "platron", available_actions: ["cancel", "keep"], cancel_at: end }),
      ["keep", "cancel"],
    ],
    ["once it is cancelled", sample({ cancel_at: end, available_actions: ["keep", "card"] }), ["keep", "card"]],
    [
      "while a cheaper plan follows",
      sample({ scheduled_plan: scheduled, available_actions: ["card", "plan", "cancel", "keep_plan"] }),
      ["keep_plan", "card", "plan", "cancel"],
    ],
    [
      "while it rests",
      sample({ paused_until: later, available_actions: ["cancel", "card", "resume"] }),
      ["resume", "card", "cancel"],
    ],
    ["while a payment is overdue", sample({ overdue, available_actions: ["cancel", "card"] }), ["card", "cancel"]],
    ["when it is over", sample({ status: "canceled" }), []],
    ["before it has begun", sample({ status: "incomplete" }), []],
  ])("%s", (_, subscription, actions) => {
    expect(availableActions(subscription, now)).toEqual(actions);
  });
});

describe("pauses", () => {
  it("last one, two or three months and skip a payment", () => {
    expect(pauseOptions(sample(), now)).toEqual([
      { months: 1, until: "2026-12-22T09:00:00.000Z" },
      { months: 2, until: "2027-01-22T09:00:00.000Z" },
      { months: 3, until: "2027-02-22T09:00:00.000Z" },
    ]);
    expect(pauseOptions(sample({ current_period_end: "2027-01-10T12:00:00Z" }), now)).toHaveLength(2);
    expect(pauseOptions(sample({ current_period_end: "2027-11-10T12:00:00Z" }), now)).toEqual([]);
  });

  it("end on the last day of a short month", () => {
    expect(monthsAfter(new Date("2026-11-30T23:00:00Z"), 3).toISOString()).toBe("2027-02-28T22:00:00.000Z");
  });

  it("never exceed the server's limit of 92 days", () => {
    const day = 24 * 60 * 60 * 1000;
    const soon = day / 25;
    for (let at = Date.UTC(2026, 0, 1, 0, 30); at < Date.UTC(2030, 0, 1); at += day) {
      expect(+monthsAfter(new Date(at), 3) - at).toBeLessThan(92 * day - soon);
    }
  });
});

describe("the list", () => {
  it("shows active, unconfirmed and past subscriptions, but none that was never paid", () => {
    const young = sample({ subscription_id: "young", status: "incomplete", created_at: "2026-11-22T09:00:00Z" });
    const given = {
      active: sample({ subscription_id: "active" }),
      young,
      old: { ...young, subscription_id: "old", created_at: "2026-11-01T09:00:00Z" },
      over: sample({ subscription_id: "over", status: "canceled" }),
      never: sample({ subscription_id: "never", status: "expired" }),
    };
    const { current, unconfirmed, past } = groupSubscriptions(Object.values(given), now);
    expect({ current, unconfirmed, past }).toEqual({
      current: [given.active],
      unconfirmed: [given.young],
      past: [given.over],
    });
  });
});
