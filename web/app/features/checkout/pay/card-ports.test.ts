import type { Stripe, StripeCardNumberElement, StripeError } from "@stripe/stripe-js";
import { describe, expect, it } from "vitest";
import { UNKNOWN } from "~/features/payment/pay/confirmation";
import { cardPorts, confirmPorts } from "./card-ports";

/** A Stripe that gives the same response to every call. */
function portsTo(answer: () => Promise<object>) {
  const stripe = { confirmCardPayment: answer, confirmCardSetup: answer, createPaymentMethod: answer };
  return cardPorts({
    stripe: stripe as unknown as Stripe,
    card: {} as StripeCardNumberElement,
    holder: { name: "Ada", email: "ada@example.org" },
    network: "",
  });
}

const refusing = (error: Partial<StripeError>) => portsTo(async () => ({ error }));

describe("the network of a co-branded card", () => {
  function asking(network: string) {
    const asked: unknown[] = [];
    const confirm = async (_: string, data: unknown) => {
      asked.push(data);
      return {};
    };
    const stripe = { confirmCardPayment: confirm, confirmCardSetup: confirm } as unknown as Stripe;
    return { asked, ports: confirmPorts(stripe, network) };
  }

  it("is sent with a payment and with a card setup", async () => {
    const { asked, ports } = asking("cartes_bancaires");
    await ports.confirmPayment("s", "pm_1");
    await ports.confirmSetup("s", "pm_1");
    const data = { payment_method: "pm_1", payment_method_options: { card: { network: "cartes_bancaires" } } };
    expect(asked).toEqual([data, data]);
  });

  it("is not sent when the card has one network", async () => {
    const { asked, ports } = asking("");
    await ports.confirmPayment("s", "pm_1");
    await ports.confirmSetup("s", "pm_1");
    expect(asked).toEqual([{ payment_method: "pm_1" }, { payment_method: "pm_1" }]);
  });
});

describe("the confirmation result", () => {
  it("is the provider's status", async () => {
    const ports = portsTo(async () => ({
      paymentIntent: { status: "succeeded" },
      setupIntent: { status: "canceled" },
    }));
    expect(await ports.confirmPayment("s", "pm_1")).toEqual({ status: "succeeded" });
    expect(await ports.confirmSetup("s", "pm_1")).toEqual({ status: "canceled" });
  });

  it("is a refusal when the card was declined", async () => {
    const ports = refusing({ type: "card_error", code: "card_declined", message: "Declined." });
    const error = { code: "card_declined", message: "Declined." };
    expect(await ports.confirmPayment("s", "pm_1")).toEqual({ error });
    expect(await ports.confirmSetup("s", "pm_1")).toEqual({ error });
  });

  it.each([
    { type: "api_connection_error" },
    { type: "api_error" },
    { type: "rate_limit_error" },
    { type: "invalid_request_error", code: "payment_intent_unexpected_state" },
    { type: "invalid_request_error", code: "setup_intent_unexpected_state" },
  ] as const)("is unknown after $type $code: the money may have moved", async (error) => {
    expect(await refusing(error).confirmPayment("s", "pm_1")).toEqual({ status: UNKNOWN });
    expect(await refusing(error).confirmSetup("s", "pm_1")).toEqual({ status: UNKNOWN });
  });

  it.each(["canceled", "succeeded", "processing"])("is the earlier decision: %s", async (status) => {
    const late = { type: "invalid_request_error", code: "payment_intent_unexpected_state" } as const;
    const ports = portsTo(async () => ({ error: { ...late, payment_intent: { status } } }));
    expect(await ports.confirmPayment("s", "pm_1")).toEqual({ status });
  });

  it("is unknown when the connection fails", async () => {
    const ports = portsTo(() => Promise.reject(new TypeError("Failed to fetch")));
    expect(await ports.confirmPayment("s", "pm_1")).toEqual({ status: UNKNOWN });
    expect(await ports.confirmSetup("s", "pm_1")).toEqual({ status: UNKNOWN });
    expect(await ports.createCard()).toEqual({ error: { code: "NETWORK_FAILURE", message: null } });
  });
});
