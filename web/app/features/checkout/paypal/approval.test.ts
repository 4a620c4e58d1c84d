import { describe, expect, it } from "vitest";
import type { Envelope } from "~/features/payment/offer/api";
import { PAYMENT_ERROR } from "~/features/payment/pay/fault";
import type { Answer } from "~/lib/http/request";
import type { LinkedSubscription } from "../api";
import { type ApprovalPorts, confirmApproval } from "./approval";

type Reply = Answer<Envelope<LinkedSubscription>>;

const linked = (status: string): Reply => ({
  ok: true,
  status: 200,
  value: { status: true, data: { subscription_id: "sbn_1", status }, code: null, message: null },
});
const refused = (code: string, message = "said so"): Reply => ({
  ok: true,
  status: 200,
  value: { status: false, data: null, code, message },
});
const failed = (status: number): Reply => ({
  ok: false,
  problem: { status, code: "X", detail: "", errors: [], retryAfterSecs: null },
});

function scripted(replies: Reply[]) {
  const asked: string[] = [];
  const ports: ApprovalPorts & { pause: () => Promise<void>; advance: (phase: string) => void } = {
    link: async (approval) => {
      asked.push(`link ${approval}`);
      return replies.shift() ?? failed(0);
    },
    sendTracking: async (id) => asked.push(`describe ${id}`),
    forget: (approval) => void asked.push(`forget ${approval}`),
    pause: async () => undefined,
    advance: (phase) => asked.push(phase),
  };
  return { ports, asked };
}

describe("a subscription approved at PayPal", () => {
  it.each(["active", "trialing"])("is settled when it is %s, after its tracking was sent", async (status) => {
    const { ports, asked } = scripted([linked(status)]);
    expect(await confirmApproval(ports, "I-1")).toEqual({ kind: "settled" });
    expect(asked).toEqual(["approval", "link I-1", "describe sbn_1", "forget I-1"]);
  });

  it("is polled while there is no answer", async () => {
    const { ports, asked } = scripted([failed(0), failed(503), failed(429), linked("active")]);
    expect(await confirmApproval(ports, "I-1")).toEqual({ kind: "settled" });
    expect(asked.filter((entry) => entry === "link I-1")).toHaveLength(4);
  });

  it("is unconfirmed when no answer ever arrives", async () => {
    const { ports, asked } = scripted([]);
    expect(await confirmApproval(ports, "I-1")).toEqual({ kind: "approvalUnconfirmed", approval: "I-1" });
    expect(asked).not.toContain("describe sbn_1");
    expect(asked).not.toContain("forget I-1");
  });

  it.each(["PAYPAL_NOT_APPROVED", "PAYMENT_IN_PROGRESS"])("is polled after %s", async (code) => {
    const { ports } = scripted([refused(code), linked("active")]);
    expect(await confirmApproval(ports, "I-1")).toEqual({ kind: "settled" });
  });

  it("is polled while PayPal has not charged", async () => {
    const { ports } = scripted([linked("incomplete"), linked("active")]);
    expect(await confirmApproval(ports, "I-1")).toEqual({ kind: "settled" });
  });

  it("is refused with a refund notice when the member already has a subscription", async () => {
    const { ports, asked } = scripted([refused("ALREADY_SUBSCRIBED", "You have one.")]);
    const fault = { code: "PAYPAL_ENDED", message: null };
    expect(await confirmApproval(ports, "I-1")).toEqual({ kind: "refused", fault });
    expect(asked).toEqual(["approval", "link I-1", "forget I-1"]);
  });

  it("is refused with our own message when PayPal declines it", async () => {
    const { ports } = scripted([refused("payment_failed", "PayPal could not take the payment.")]);
    const fault = { code: "PAYPAL_FAILED", message: null };
    expect(await confirmApproval(ports, "I-1")).toEqual({ kind: "refused", fault });
  });

  it("is refused when it has already ended", async () => {
    const { ports } = scripted([linked("canceled")]);
    expect(await confirmApproval(ports, "I-1")).toEqual({ kind: "refused", fault: PAYMENT_ERROR });
  });
});
