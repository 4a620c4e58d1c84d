// @vitest-environment jsdom
import { afterEach, describe, expect, it } from "vitest";
import { type OpenPayment, openPayment, persistOpenPayment } from "./open-payment";

const payment: OpenPayment = { campaign: "web-monthly", couponCode: "X", next: "/en/success/", isCoaching: false };

describe("an open payment", () => {
  afterEach(() => sessionStorage.clear());

  it("is restored when the buyer comes back", () => {
    persistOpenPayment(payment);
    expect(openPayment()).toEqual(payment);
  });

  it("keeps its action", () => {
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
  ])("drops an action that was never stored by this site: %j", (action) => {
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
  ])("is ignored as %j", (stored) => {
    sessionStorage.setItem("openPayment", stored);
    expect(openPayment()).toBeNull();
  });
});
