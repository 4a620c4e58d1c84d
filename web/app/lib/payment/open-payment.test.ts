// @vitest-environment jsdom
import { afterEach, describe, expect, it } from "vitest";
import { type OpenPayment, openPayment, persistOpenPayment } from "./open-payment";

const payment: OpenPayment = { campaign: "web-monthly", couponCode: "X", next: "/en/success/", isCoaching: false };

describe("a payment somebody left for a provider's page with", () => {
  afterEach(() => sessionStorage.clear());

  it("is there when they come back", () => {
    persistOpenPayment(payment);
    expect(openPayment()).toEqual(payment);
  });

  it("keeps what is to be done before going on", () => {
    for (const action of [
      { kind: "therapyHandoff", url: "https://therapy.example/en/therapy/" },
      { kind: "grantThenRedirect", requestedUrl: "https://soul.example/in", fallbackUrl: "/en/success-page/" },
    ] as const) {
      persistOpenPayment({ ...payment, action });
      expect(openPayment()).toEqual({ ...payment, action });
    }
  });

  it.each([
    { kind: "therapyHandoff", url: "javascript:alert(1)" },
    { kind: "therapyHandoff" },
    { kind: "grantThenRedirect", requestedUrl: "", fallbackUrl: "/en/" },
    { kind: "grantThenRedirect", requestedUrl: "x", fallbackUrl: "https://elsewhere.example/" },
    { kind: "page", url: "https://elsewhere.example/" },
  ])("does nothing beforehand that was never written: %j", (action) => {
    sessionStorage.setItem("openPayment", JSON.stringify({ ...payment, action }));
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
