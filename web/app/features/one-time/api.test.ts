import { afterEach, describe, expect, it, vi } from "vitest";
import { createIntent, fetchSavedCard, isPaid, loadLandingCampaign } from "./api";

const asked: { url: string; init: RequestInit }[] = [];

/** Stubs every response of the gateway. */
function answering(body: unknown, status = 200) {
  asked.length = 0;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return new Response(JSON.stringify(body), { status });
  });
}

const intent = (change: object) => ({
  status: true,
  data: { clientSecret: "pi_1_secret", paymentStatus: "requires_payment_method", paymentIntentId: "pi_1", ...change },
  code: null,
  message: null,
});
const addition = (status: boolean, change: object, code: string | null = null) => ({
  status,
  data: { requiresAction: false, clientSecret: null, paymentIntentId: "pi_1", ...change },
  code,
  message: null,
});

afterEach(() => void vi.unstubAllGlobals());

describe("creating a payment intent", () => {
  it("uses one path each for guests, members and saved cards, with an idempotency key", async () => {
    answering(intent({}));
    for (const counter of ["guest", "member", "savedCard"] as const)
      await createIntent(counter, "key_1", { price_id: "p" });
    expect(asked.map(({ url }) => url)).toEqual([
      "/api/one-time/create-intent",
      "/api/create-payment-intent",
      "/api/addition/confirm",
    ]);
    for (const { init } of asked) expect(init.headers).toMatchObject({ "idempotency-key": "key_1" });
  });

  it.each([
    ["a secret to pay", intent({}), { secret: "pi_1_secret", intentId: "pi_1", status: "requires_payment_method" }],
    [
      "what is paid already",
      intent({ clientSecret: null, paymentStatus: "succeeded" }),
      { secret: null, intentId: "pi_1", status: "succeeded" },
    ],
    ["a kept card that was charged", addition(true, {}), { secret: null, intentId: "pi_1", status: "succeeded" }],
    [
      "a bank that asks",
      addition(true, { requiresAction: true, clientSecret: "pi_1_secret" }),
      { secret: "pi_1_secret", intentId: "pi_1", status: "requires_action" },
    ],
    [
      "what is on its way",
      addition(false, {}, "PAYMENT_INCOMPLETE"),
      { secret: null, intentId: "pi_1", status: "processing" },
    ],
  ])("reads %s", async (_, answer, opened) => {
    answering(answer);
    const reply = await createIntent("member", "key_1", {});
    expect(reply).toMatchObject({ ok: true, value: { opened } });
  });

  it("reads a refusal with the provider's message", async () => {
    answering({ status: false, data: null, code: "insufficient_funds", message: "No funds." });
    const reply = await createIntent("savedCard", "key_1", {});
    expect(reply).toMatchObject({ value: { refused: { code: "insufficient_funds", message: "No funds." } } });
  });

  it("does not read a server error as an answer", async () => {
    answering({ code: "UNAVAILABLE" }, 503);
    expect(await createIntent("guest", "key_1", {})).toMatchObject({ ok: false, problem: { status: 503 } });
  });
});

describe("other calls", () => {
  it("send the landing campaign as a form", async () => {
    answering({ status: true });
    await loadLandingCampaign({ campaign: "live-program", customer_name: "Ada & Co" });
    expect(asked[0]?.init.headers).toMatchObject({ "content-type": "application/x-www-form-urlencoded" });
    expect(asked[0]?.init.body).toBe("campaign=live-program&customer_name=Ada+%26+Co");
  });

  it("find the saved card, or none", async () => {
    answering({ status: true, campaigns: [], card_last4: "4242" });
    expect(await fetchSavedCard("therapy_addition", "tr", "TR")).toBe("4242");
    expect(asked[0]?.url).toBe("/api/addition/campaigns?filter=therapy_addition&lang=tr&country=TR");
    answering({ status: false, data: null, code: "V100", message: "Sign in to continue." });
    expect(await fetchSavedCard("", "en", "US")).toBeNull();
    answering({ code: "UNAVAILABLE" }, 503);
    expect(await fetchSavedCard("", "en", "US")).toBeNull();
  });

  it("trust only our server that a payment is made", async () => {
    answering(addition(true, {}));
    expect(await isPaid("pi_1")).toBe(true);
    answering(addition(false, {}, "PAYMENT_INCOMPLETE"));
    expect(await isPaid("pi_1")).toBe(false);
    answering({}, 500);
    expect(await isPaid("pi_1")).toBe(false);
  });
});
