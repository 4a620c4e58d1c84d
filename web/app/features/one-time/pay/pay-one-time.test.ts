import { describe, expect, it } from "vitest";
import type { ConfirmationResult } from "~/features/payment/pay/confirmation";
import type { Answer } from "~/lib/http/request";
import type { OpenedIntent } from "../api";
import {
  type IntentReply,
  type PaymentAttempt,
  type PayOneTimePorts,
  payOneTime,
  recheckAttempt,
} from "./pay-one-time";

const fresh: PaymentAttempt = { key: "key_1", body: { price_id: "prc_1" }, opened: null };
const opened: OpenedIntent = { secret: "pi_1_secret", intentId: "pi_1", status: "requires_payment_method" };
const attempt: PaymentAttempt = { ...fresh, opened };
const answered = (value: IntentReply): Answer<IntentReply> => ({ ok: true, status: 200, value });
const failed = (status: number, code = "X"): Answer<IntentReply> => ({
  ok: false,
  problem: { status, code, detail: "said so", errors: [], retryAfterSecs: null },
});

interface Script {
  card?: Awaited<ReturnType<PayOneTimePorts["createCard"]>>;
  open?: Answer<IntentReply>[];
  verdict?: ConfirmationResult;
  look?: string[];
}

/** Scripted ports that record their calls. */
function scripted(script: Script) {
  const asked: string[] = [];
  const ports: PayOneTimePorts = {
    createCard: async () => (script.card === undefined ? { id: "pm_1" } : script.card),
    createIntent: async ({ key }) => {
      asked.push(`open ${key}`);
      return script.open?.shift() ?? answered({ opened });
    },
    confirm: async (secret, card) => {
      asked.push(`confirm ${secret} ${card}`);
      return script.verdict ?? { status: "succeeded" };
    },
    pollStatus: async () => {
      asked.push("pollStatus");
      return script.look?.shift() ?? "unknown";
    },
    notifyServer: async ({ intentId }) => void asked.push(`notify ${intentId}`),
    pause: async () => undefined,
    advance: () => undefined,
  };
  return { ports, asked };
}

describe("paying a one-time purchase", () => {
  it("creates the intent, confirms the card, notifies our server and is settled", async () => {
    const { ports, asked } = scripted({});
    expect(await payOneTime(ports, fresh)).toEqual({ type: "settled" });
    expect(asked).toEqual(["open key_1", "confirm pi_1_secret pm_1", "notify pi_1"]);
  });

  it("creates no intent for an invalid card", async () => {
    const fault = { code: "incomplete_number", message: "Incomplete." };
    const { ports, asked } = scripted({ card: { error: fault } });
    expect(await payOneTime(ports, fresh)).toEqual({ type: "refused", fault, attempt: fresh });
    expect(asked).toEqual([]);
  });

  it("pays the same intent with the next card", async () => {
    const fault = { code: "insufficient_funds", message: "No." };
    const { ports, asked } = scripted({ verdict: { error: fault } });
    expect(await payOneTime(ports, fresh)).toEqual({ type: "refused", fault, attempt });
    const second = scripted({});
    expect(await payOneTime(second.ports, attempt)).toEqual({ type: "settled" });
    expect(second.asked).toEqual(["confirm pi_1_secret pm_1", "notify pi_1"]);
    expect(asked.filter((call) => call.startsWith("open"))).toHaveLength(1);
  });

  it("resends until there is an answer, then returns the attempt for a later resend", async () => {
    const lost = scripted({ open: [failed(0), failed(503), answered({ opened })] });
    expect(await payOneTime(lost.ports, fresh)).toEqual({ type: "settled" });
    expect(lost.asked.slice(0, 3)).toEqual(["open key_1", "open key_1", "open key_1"]);
    const down = scripted({ open: [failed(500), failed(500), failed(500)] });
    expect(await payOneTime(down.ports, fresh)).toEqual({ type: "unanswered", attempt: fresh });
  });

  it("starts a new attempt after a refusal", async () => {
    const fault = { code: "PAYMENT_IN_PROGRESS", message: "Wait." };
    const { ports } = scripted({ open: [answered({ refused: fault })] });
    expect(await payOneTime(ports, fresh)).toEqual({ type: "refused", fault, attempt: null });
    const conflict = scripted({ open: [failed(409, "IDEMPOTENCY_CONFLICT")] });
    const said = { code: "IDEMPOTENCY_CONFLICT", message: "said so" };
    expect(await payOneTime(conflict.ports, fresh)).toEqual({ type: "refused", fault: said, attempt: null });
  });

  it.each(["QUOTE_EXPIRED", "QUOTE_INVALID", "UNKNOWN_PRICE", "COUPON_EXHAUSTED"])(
    "reloads the offer after %s",
    async (code) => {
      const { ports } = scripted({ open: [answered({ refused: { code, message: null } })] });
      expect(await payOneTime(ports, fresh)).toEqual({
        type: "offerEnded",
        fault: { code: "QUOTE_EXPIRED", message: null },
      });
    },
  );

  it("does not pay what another tab has paid", async () => {
    const paid: OpenedIntent = { secret: null, intentId: "pi_1", status: "succeeded" };
    const { ports, asked } = scripted({ open: [answered({ opened: paid })] });
    expect(await payOneTime(ports, fresh)).toEqual({ type: "settled" });
    expect(asked).toEqual(["open key_1"]);
  });

  it.each([
    ["succeeded", { type: "settled" }],
    ["requires_payment_method", { type: "refused", fault: { code: "NETWORK_FAILURE", message: null }, attempt }],
    ["canceled", { type: "offerEnded", fault: { code: "QUOTE_EXPIRED", message: null } }],
  ])("polls a payment whose result was lost: %s", async (status, end) => {
    const { ports } = scripted({ verdict: { status: "unknown" }, look: ["unknown", "processing", status] });
    expect(await payOneTime(ports, fresh)).toEqual(end);
  });

  it("is undecided without an answer, and can be rechecked", async () => {
    const { ports, asked } = scripted({ verdict: { status: "unknown" } });
    expect(await payOneTime(ports, fresh)).toEqual({ type: "undecided", attempt });
    expect(asked.filter((call) => call === "pollStatus").length).toBeGreaterThan(3);
    const later = scripted({ look: ["succeeded"] });
    expect(await recheckAttempt(later.ports, attempt)).toEqual({ type: "settled" });
    expect(later.asked).toEqual(["pollStatus"]);
  });

  it("charges the saved card and lets its bank confirm", async () => {
    const charged: OpenedIntent = { secret: null, intentId: "pi_1", status: "succeeded" };
    const stored = scripted({ card: null, open: [answered({ opened: charged })] });
    expect(await payOneTime(stored.ports, fresh)).toEqual({ type: "settled" });
    const asks: OpenedIntent = { ...opened, status: "requires_action" };
    const asking = scripted({ card: null, open: [answered({ opened: asks })] });
    expect(await payOneTime(asking.ports, fresh)).toEqual({ type: "settled" });
    expect(asking.asked).toEqual(["open key_1", "confirm pi_1_secret null", "notify pi_1"]);
  });
});
