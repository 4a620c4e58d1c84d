import { describe, expect, it } from "vitest";
import { scriptUrl } from "./paypal";

const settings = { clientId: "us", scriptUrl: null };

describe("PayPal's script", () => {
  it("is requested for subscriptions, in the offer's currency and the page's language", () => {
    const url = new URL(scriptUrl(settings, "USD", "tr"));
    expect(url.origin + url.pathname).toBe("https://www.paypal.com/sdk/js");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      "client-id": "us",
      components: "buttons",
      intent: "subscription",
      vault: "true",
      currency: "USD",
      locale: "tr_TR",
    });
  });

  it.each([
    ["en", "en_US"],
    ["pt", "pt_BR"],
    ["az", "en_US"],
    ["fr", "fr_FR"],
    ["ar", "ar_EG"],
  ] as const)("of %s has a locale that PayPal supports", (locale, known) => {
    expect(new URL(scriptUrl(settings, "EUR", locale)).searchParams.get("locale")).toBe(known);
  });

  it("can be loaded from another URL", () => {
    const elsewhere = { clientId: "us", scriptUrl: "http://localhost:8090/paypal/sdk/js" };
    expect(scriptUrl(elsewhere, "USD", "en")).toMatch(/^http:\/\/localhost:8090\/paypal\/sdk\/js\?client-id=us&/);
  });
});
