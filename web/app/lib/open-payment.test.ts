// @vitest-environment jsdom
import { afterEach, describe, expect, it } from "vitest";
import { type OpenPayment, openPayment, rememberPayment } from "./open-payment";

const payment: OpenPayment = { campaign: "web-monthly", couponCode: "X", next: "/en/success/", isCoaching: false };

describe("a payment somebody left for a provider's page with", () => {
  afterEach(() => sessionStorage.clear());

  it("is there when they come back", () => {
    rememberPayment(payment);
    expect(openPayment()).toEqual(payment);
  });

  it.each([
    "",
    "null",
    "{}",
    "no JSON",
    '{"campaign":"c","next":"https://elsewhere.example/"}',
    '{"campaign":"c","next":"//e"}',
  ])("is none of ours as %j", (stored) => {
    sessionStorage.setItem("openPayment", stored);
    expect(openPayment()).toBeNull();
  });
});
