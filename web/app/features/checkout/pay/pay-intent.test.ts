import { describe, expect, it } from "vitest";
import { type ConfirmationResult, UNKNOWN } from "~/features/payment/pay/confirmation";
import { type IntentPorts, payIntent } from "./pay-intent";

const intent = { id: "pi_1", secret: "pi_1_secret" };

function scripted(verdict: ConfirmationResult, card: Awaited<ReturnType<IntentPorts["createCard"]>> = { id: "pm_1" }) {
  const asked: string[] = [];
  const ports: IntentPorts = {
    createCard: async () => card,
    confirmPayment: async (secret, paymentMethodId) => {
      asked.push(`${secret} with ${paymentMethodId}`);
      return verdict;
    },
    confirmIntent: async (id) => {
      asked.push(`confirm intent ${id}`);
      return { ok: true, status: 200, value: { status: true, data: null } };
    },
    advance: () => undefined,
  };
  return { ports, asked };
}

describe("paying an intent created beforehand", () => {
  it("confirms the card with the intent's secret, then notifies our server", async () => {
    const { ports, asked } = scripted({ status: "succeeded" });
    expect(await payIntent(ports, intent)).toEqual({ kind: "settled" });
    expect(asked).toEqual(["pi_1_secret with pm_1", "confirm intent pi_1"]);
  });

  it("does not confirm a card that the provider rejects", async () => {
    const fault = { code: "invalid_number", message: "Your card number is invalid." };
    const { ports, asked } = scripted({ status: "succeeded" }, { error: fault });
    expect(await payIntent(ports, intent)).toEqual({ kind: "refused", fault });
    expect(asked).toEqual([]);
  });

  it("returns the bank's reason for a decline", async () => {
    const fault = { code: "card_declined", message: "Your card was declined." };
    expect(await payIntent(scripted({ error: fault }).ports, intent)).toEqual({ kind: "refused", fault });
  });

  it.each(["processing", UNKNOWN])("is unconfirmed when the provider says %s", async (status) => {
    const { ports, asked } = scripted({ status });
    expect(await payIntent(ports, intent)).toEqual({ kind: "intentUnconfirmed", intentId: "pi_1" });
    expect(asked).toEqual(["pi_1_secret with pm_1"]);
  });

  it("needs another intent when this one is closed", async () => {
    const fault = { code: "resource_missing", message: "No such payment_intent" };
    expect(await payIntent(scripted({ error: fault }).ports, intent)).toMatchObject({ kind: "intentClosed" });
    expect(await payIntent(scripted({ status: "canceled" }).ports, intent)).toMatchObject({ kind: "intentClosed" });
  });

  it("is refused for any other status", async () => {
    expect(await payIntent(scripted({ status: "requires_payment_method" }).ports, intent)).toMatchObject({
      kind: "refused",
    });
  });
});
