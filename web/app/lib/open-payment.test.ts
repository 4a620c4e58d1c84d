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

  it("keeps what is to be done before going on", () => {
    for (const errand of [
      { kind: "handOver", url: "https://therapy.example/en/therapy/" },
      { kind: "grantThenLeave", wanted: "https://soul.example/in", otherwise: "/en/success-page/" },
    ] as const) {
      rememberPayment({ ...payment, errand });
      expect(openPayment()).toEqual({ ...payment, errand });
    }
  });

  it.each([
    { kind: "handOver", url: "javascript:alert(1)" },
    { kind: "handOver" },
    { kind: "grantThenLeave", wanted: "", otherwise: "/en/" },
    { kind: "grantThenLeave", wanted: "x", otherwise: "https://elsewhere.example/" },
    { kind: "page", url: "https://elsewhere.example/" },
  ])("does nothing beforehand that was never written: %j", (errand) => {
    sessionStorage.setItem("openPayment", JSON.stringify({ ...payment, errand }));
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
