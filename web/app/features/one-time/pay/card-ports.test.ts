import type { Stripe } from "@stripe/stripe-js";
import { describe, expect, it } from "vitest";
import { cardPorts } from "./card-ports";

const holder = { name: "Ada", email: "ada@example.org" };

/** A Stripe that has one payment and records its calls. */
function provider(
  paymentIntent: object | undefined,
  confirmed: object = { paymentIntent: { status: "succeeded" } },
  receiptEmail: string | null = null,
) {
  const asked: unknown[][] = [];
  const stripe = {
    retrievePaymentIntent: async () => ({ paymentIntent }),
    confirmCardPayment: async (...given: unknown[]) => {
      asked.push(given);
      return confirmed;
    },
  } as unknown as Stripe;
  return { asked, ports: cardPorts({ stripe, card: null, holder, network: "visa", savesCard: true, receiptEmail }) };
}

describe("the confirmation result", () => {
  it("of a saved card: the bank must confirm, has refused, or has charged", async () => {
    const asks = provider({ status: "requires_action" });
    expect(await asks.ports.confirm("secret", null)).toEqual({ status: "succeeded" });
    expect(asks.asked).toEqual([["secret"]]);

    const refusal = { type: "card_error", code: "card_declined", decline_code: "insufficient_funds", message: "No." };
    const refused = provider({ status: "requires_payment_method", last_payment_error: refusal });
    expect(await refused.ports.confirm("secret", null)).toEqual({
      error: { code: "insufficient_funds", message: "No." },
    });
    expect(refused.asked).toEqual([]);

    expect(await provider({ status: "succeeded" }).ports.confirm("secret", null)).toEqual({ status: "succeeded" });
    expect(await provider(undefined).ports.confirm("secret", null)).toEqual({ status: "unknown" });
  });

  it("of a typed card sends the network and the consent to save it", async () => {
    const { ports, asked } = provider(undefined);
    await ports.confirm("secret", "pm_1");
    const data = {
      payment_method: "pm_1",
      setup_future_usage: "off_session",
      payment_method_options: { card: { network: "visa" } },
    };
    expect(asked).toEqual([["secret", data]]);
  });

  it("sends the receipt to a guest", async () => {
    const { ports, asked } = provider(undefined, undefined, holder.email);
    await ports.confirm("secret", "pm_1");
    expect(asked[0]?.[1]).toMatchObject({ receipt_email: holder.email });
  });

  it.each([
    { type: "api_connection_error" },
    { type: "invalid_request_error", code: "payment_intent_unexpected_state" },
  ])("is unknown after $type", async (error) => {
    expect(await provider(undefined, { error }).ports.confirm("secret", "pm_1")).toEqual({ status: "unknown" });
  });
});
