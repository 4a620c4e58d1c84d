import type { PaymentRequestPaymentMethodEvent, Stripe } from "@stripe/stripe-js";
import { describe, expect, it, vi } from "vitest";
import type { Campaign } from "~/features/payment/offer/offer";
import { findWallet, walletPorts, walletTotal } from "./wallet";

const campaign: Campaign = {
  customer_id: null,
  price_id: "prc_1",
  currency: "USD",
  price: 9.99,
  discount_rate: 0,
  default_price: 9.99,
  default_price_currency: "USD",
  discount_amount: 0,
  trial_days: 0,
  campaign_id: "web-monthly",
  period_months: 1,
  product: "premium",
};

describe("the wallet's total", () => {
  it.each([
    [9.99, "USD", 999],
    [9.9, "USD", 990],
    [69, "EUR", 6900],
    [1200, "JPY", 1200],
    [1199.5, "TRY", 119_950],
    [4.35, "USD", 435],
  ])("of %d %s is %d minor units", (price, currency, amount) => {
    expect(walletTotal({ ...campaign, price, currency })).toEqual({ amount, pending: false });
  });

  it("is pending when a free trial comes first", () => {
    expect(walletTotal({ ...campaign, trial_days: 7 })).toEqual({ amount: 999, pending: true });
  });
});

function stripeWith(can: Record<string, boolean> | null) {
  const paymentRequest = vi.fn((_options: object) => ({ canMakePayment: async () => can }));
  return { paymentRequest, stripe: { paymentRequest } as unknown as Stripe };
}

describe("the wallet of this device", () => {
  it("is requested for the account's country, the offer's currency and the block's label", async () => {
    const { stripe, paymentRequest } = stripeWith({ applePay: true });
    expect(await findWallet(stripe, campaign, "Stillpoint monthly")).toMatchObject({ kind: "apple" });
    expect(paymentRequest).toHaveBeenCalledWith(
      expect.objectContaining({
        country: "US",
        currency: "usd",
        total: { label: "Stillpoint monthly", amount: 999, pending: false },
      }),
    );
  });

  it.each([
    [{ applePay: false, googlePay: true }, "google"],
    [{ applePay: true, googlePay: false }, "apple"],
  ])("is detected from %o", async (can, kind) => {
    expect(await findWallet(stripeWith(can).stripe, campaign, "x")).toMatchObject({ kind });
  });

  it.each([[null], [{}], [{ link: true }]])("is absent when the device reports %o", async (can) => {
    expect(await findWallet(stripeWith(can as Record<string, boolean> | null).stripe, campaign, "x")).toBeNull();
  });
});

describe("a payment approved in a wallet", () => {
  const agreed = () => {
    const complete = vi.fn();
    const stripe = { confirmCardPayment: async () => ({ paymentIntent: { status: "succeeded" } }) };
    const event = { paymentMethod: { id: "pm_wallet" }, complete } as unknown as PaymentRequestPaymentMethodEvent;
    return { complete, ports: walletPorts(stripe as unknown as Stripe, event) };
  };

  it("brings its card and its source", async () => {
    const { ports } = agreed();
    expect(await ports.createCard()).toEqual({ id: "pm_wallet" });
    expect(ports.source).toBe("apple_google_pay");
  });

  it("completes the wallet once, before the bank confirms", async () => {
    const { ports, complete } = agreed();
    expect(await ports.confirmPayment("secret", "pm_wallet")).toEqual({ status: "succeeded" });
    ports.onResult?.(false);
    expect(complete.mock.calls).toEqual([["success"]]);
  });

  it("shows a refusal in the wallet", () => {
    const { ports, complete } = agreed();
    ports.onResult?.(false);
    expect(complete.mock.calls).toEqual([["fail"]]);
  });
});
