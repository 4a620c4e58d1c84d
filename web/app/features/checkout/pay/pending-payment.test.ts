import { afterEach, describe, expect, it, vi } from "vitest";
import type { Campaign } from "~/features/payment/offer/offer";
import type { CheckoutState } from "../state";
import { pendingPaymentPoll } from "./pending-payment";

const campaign = { product: "premium" } as Campaign;
const offer = { redirectUrl: null, widgetToken: "ct-1", hasSubscription: false, isUnreachable: false };
const pending: CheckoutState = { step: "pending", campaign, subscriptionId: "sub_1" };
const ofIntent: CheckoutState = { step: "unconfirmed", campaign, payment: { kind: "intent", id: "pi_1" } };
const ofPages: CheckoutState = { step: "unconfirmed", campaign, payment: { kind: "yookassaPlatron", offer } };

async function pollResult(state: CheckoutState, answer: unknown, status = 200) {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(answer), { status }));
  return pendingPaymentPoll(state)?.();
}
const subscription = (status: string, paymentStatus: string | null) => ({
  data: { status, paymentStatus, clientSecret: "s", setupIntentSecret: null, subscription_id: "sub_1" },
});
const held = (...all: [provider: string, status: string, product: string][]) => ({
  subscriptions: all.map(([provider, status, product]) => ({ provider, status, product })),
});

describe("polling a payment without a result", () => {
  afterEach(() => void vi.unstubAllGlobals());

  it("of a subscription is settled, refused or still open", async () => {
    expect(await pollResult(pending, subscription("active", "succeeded"))).toEqual({ kind: "settled" });
    expect(await pollResult(pending, subscription("incomplete", "processing"))).toBeNull();
    expect(await pollResult(pending, subscription("incomplete", "requires_payment_method"))).toMatchObject({
      kind: "refused",
    });
    expect(await pollResult(pending, {}, 503)).toBeNull();
  });

  it("of an intent is settled, refused when it is closed or needs the buyer again, or still open", async () => {
    expect(await pollResult(ofIntent, { status: true, data: { requiresAction: false } })).toEqual({ kind: "settled" });
    expect(await pollResult(ofIntent, { status: false, data: { requiresAction: true } })).toMatchObject({
      kind: "refused",
    });
    expect(await pollResult(ofIntent, { status: false, data: { requiresAction: false } })).toBeNull();
    expect(await pollResult(ofIntent, { status: false, data: null, code: "PAYMENT_CANCELED" })).toMatchObject({
      kind: "refused",
    });
    expect(await pollResult(ofIntent, {}, 500)).toBeNull();
  });

  it("at YooKassa or Platron is settled by the member's active subscription only", async () => {
    expect(await pollResult(ofPages, held(["yookassa", "active", "premium"]))).toEqual({ kind: "settled" });
    expect(await pollResult(ofPages, held(["platron", "active", "premium"]))).toEqual({ kind: "settled" });
    expect(
      await pollResult(ofPages, held(["stripe", "active", "premium"], ["yookassa", "expired", "premium"])),
    ).toBeNull();
    expect(await pollResult(ofPages, held(["yookassa", "active", "another"]))).toBeNull();
  });

  it("is absent in other states", () => {
    expect(pendingPaymentPoll({ step: "loading", fault: null })).toBeNull();
    expect(pendingPaymentPoll({ step: "paid", campaign })).toBeNull();
  });
});
