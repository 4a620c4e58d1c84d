import { describe, expect, it } from "vitest";
import { UNKNOWN } from "~/features/payment/pay/confirmation";
import { PAYMENT_ERROR } from "~/features/payment/pay/fault";
import type { Answer } from "~/lib/http/request";
import type { SubscriptionEnvelope } from "../api";
import { type Attempt, type PayPorts, pay } from "./pay";
import type { SubscriptionResponse } from "./subscription-response";

const subscription: SubscriptionResponse = {
  status: "active",
  paymentStatus: "succeeded",
  clientSecret: null,
  setupIntentSecret: null,
  paymentIntentId: "pi_1",
  subscription_id: "sub_1",
};

type Reply = Answer<SubscriptionEnvelope>;
const created = (change: Partial<SubscriptionResponse> = {}): Reply => {
  const data = { ...subscription, ...change };
  return { ok: true, status: 200, value: { ...data, data, code: null, message: null } };
};
const refused = (code: string, message: string): Reply => ({
  ok: true,
  status: 200,
  value: { status: false, data: null, code, message },
});
const failed = (status: number, code = "X"): Reply => ({
  ok: false,
  problem: { status, code, detail: "said so", errors: [], retryAfterSecs: null },
});

/** Scripted ports that record their calls. */
function scripted(replies: {
  create?: Reply[];
  confirm?: Reply[];
  verdict?: Awaited<ReturnType<PayPorts["confirmPayment"]>>;
}) {
  const asked: string[] = [];
  const attempts: Attempt[] = [];
  let keys = 0;
  const ports: PayPorts = {
    source: "stripe",
    cardNetwork: "cartes_bancaires",
    createCard: async () => ({ id: "pm_1" }),
    createSubscription: async (attempt) => {
      attempts.push(attempt);
      return replies.create?.shift() ?? created();
    },
    confirmSubscription: async () => {
      asked.push("confirm");
      return replies.confirm?.shift() ?? created();
    },
    confirmPayment: async (secret) => {
      asked.push(`payment ${secret}`);
      return replies.verdict ?? { status: "succeeded" };
    },
    confirmSetup: async (secret) => {
      asked.push(`setup ${secret}`);
      return replies.verdict ?? { status: "succeeded" };
    },
    newKey: () => {
      keys += 1;
      return `key_${keys}`;
    },
    pause: async () => undefined,
    advance: (phase) => asked.push(phase),
  };
  return { ports, asked, attempts };
}

describe("paying", () => {
  it("is settled by an active subscription", async () => {
    const { ports, attempts } = scripted({});
    expect(await pay(ports, null)).toEqual({ kind: "settled" });
    expect(attempts).toEqual([
      { key: "key_1", paymentMethodId: "pm_1", source: "stripe", cardNetwork: "cartes_bancaires" },
    ]);
  });

  it("confirms at the bank when required, then notifies our server", async () => {
    const create = [created({ status: "incomplete", paymentStatus: "requires_action", clientSecret: "pi_secret" })];
    const { ports, asked } = scripted({ create });
    expect(await pay(ports, null)).toEqual({ kind: "settled" });
    expect(asked).toEqual(["order", "bank", "payment pi_secret", "checking", "confirm"]);
  });

  it("sets up a card for a trial", async () => {
    const create = [created({ status: "trialing", paymentStatus: null, setupIntentSecret: "seti_secret" })];
    const { ports, asked } = scripted({ create });
    expect(await pay(ports, null)).toEqual({ kind: "settled" });
    expect(asked).toContain("setup seti_secret");
  });

  it("counts a failed setup as a payment error", async () => {
    const create = [created({ status: "trialing", paymentStatus: null, setupIntentSecret: "seti_secret" })];
    const { ports } = scripted({ create, verdict: { status: "canceled" } });
    expect(await pay(ports, null)).toEqual({ kind: "refused", fault: PAYMENT_ERROR });
  });

  it("returns the provider's own message on a decline", async () => {
    const { ports } = scripted({ create: [refused("card_declined", "Your card was declined.")] });
    const fault = { code: "card_declined", message: "Your card was declined." };
    expect(await pay(ports, null)).toEqual({ kind: "refused", fault });
  });

  it("sends nothing when the card is incomplete", async () => {
    const { ports, attempts } = scripted({});
    const fault = { code: "incomplete_number", message: "Your card number is incomplete." };
    ports.createCard = async () => ({ error: fault });
    expect(await pay(ports, null)).toEqual({ kind: "refused", fault });
    expect(attempts).toEqual([]);
  });

  it("resends the same attempt while there is no answer", async () => {
    const { ports, attempts } = scripted({ create: [failed(0), failed(503), created()] });
    expect(await pay(ports, null)).toEqual({ kind: "settled" });
    expect(new Set(attempts.map((attempt) => attempt.key))).toEqual(new Set(["key_1"]));
    expect(attempts).toHaveLength(3);
  });

  it("returns the attempt when no answer arrives, and resends it the next time", async () => {
    const { ports, attempts } = scripted({ create: [failed(0), failed(0), failed(0)] });
    const outcome = await pay(ports, null);
    expect(outcome).toMatchObject({ kind: "unknown", attempt: { key: "key_1" } });
    if (outcome.kind !== "unknown") return;
    expect(await pay(ports, outcome.attempt)).toEqual({ kind: "settled" });
    expect(attempts.at(-1)).toEqual(outcome.attempt);
  });

  it("treats an error answer as a refusal", async () => {
    const { ports, attempts } = scripted({ create: [failed(409, "IDEMPOTENCY_CONFLICT")] });
    expect(await pay(ports, null)).toMatchObject({ kind: "refused", fault: { code: "IDEMPOTENCY_CONFLICT" } });
    expect(attempts).toHaveLength(1);
  });

  it("polls while the bank is processing", async () => {
    const processing = () => created({ status: "incomplete", paymentStatus: "processing" });
    const { ports, asked } = scripted({ create: [processing()], confirm: [processing(), failed(0), created()] });
    expect(await pay(ports, null)).toEqual({ kind: "settled" });
    expect(asked.filter((entry) => entry === "confirm")).toHaveLength(3);
  });

  it("times out when the bank does not answer", async () => {
    const processing = () => created({ status: "incomplete", paymentStatus: "processing" });
    const { ports } = scripted({ create: [processing()], confirm: Array.from({ length: 9 }, processing) });
    expect(await pay(ports, null)).toEqual({ kind: "bankTimedOut", subscriptionId: "sub_1" });
  });

  it("polls our server when the provider's result was lost", async () => {
    const challenged = () =>
      created({ status: "incomplete", paymentStatus: "requires_action", clientSecret: "pi_secret" });
    const lost = { status: UNKNOWN };
    const taken = scripted({ create: [challenged()], verdict: lost, confirm: [failed(0), created()] });
    expect(await pay(taken.ports, null)).toEqual({ kind: "settled" });
    const untouched = scripted({ create: [challenged()], verdict: lost, confirm: [challenged()] });
    expect(await pay(untouched.ports, null)).toEqual({ kind: "refused", fault: PAYMENT_ERROR });
    const silent = scripted({
      create: [challenged()],
      verdict: lost,
      confirm: Array.from({ length: 9 }, () => failed(0)),
    });
    expect(await pay(silent.ports, null)).toEqual({ kind: "bankTimedOut", subscriptionId: "sub_1" });
  });

  it("polls our server when another tab canceled the intent and may have paid", async () => {
    const challenged = () =>
      created({ status: "incomplete", paymentStatus: "requires_action", clientSecret: "pi_secret" });
    const givenUp = { status: "canceled" };
    const paid = scripted({ create: [challenged()], verdict: givenUp, confirm: [created()] });
    expect(await pay(paid.ports, null)).toEqual({ kind: "settled" });
    const unpaid = scripted({ create: [challenged()], verdict: givenUp, confirm: [challenged()] });
    expect(await pay(unpaid.ports, null)).toEqual({ kind: "refused", fault: PAYMENT_ERROR });
  });

  it("allows another try after a setup that never arrived", async () => {
    const pending = () => created({ status: "trialing", paymentStatus: null, setupIntentSecret: "seti_secret" });
    const { ports } = scripted({ create: [pending()], verdict: { status: UNKNOWN }, confirm: [pending()] });
    expect(await pay(ports, null)).toEqual({ kind: "refused", fault: PAYMENT_ERROR });
  });

  it("is settled once the money moved, even if our server does not answer", async () => {
    const create = [created({ status: "incomplete", paymentStatus: "requires_action", clientSecret: "s" })];
    const { ports } = scripted({ create, confirm: [failed(0)] });
    expect(await pay(ports, null)).toEqual({ kind: "settled" });
  });
});
