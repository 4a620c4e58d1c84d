import { describe, expect, it } from "vitest";
import type { Providers } from "~/features/payment/offer/offer";
import { annual as campaign } from "~/features/payment/offer/offer-fixtures";
import { yookassaPlatronOffer } from "./yookassa-platron";

describe("YooKassa and Platron", () => {
  const both: Providers = {
    yookassa: { has_subscription: false, confirmation_token: "ct-1" },
    platron: { price_id: "prc_1", redirect_url: "https://pay.example/1" },
  };

  const none: Providers = { yookassa: { has_subscription: false, confirmation_token: null }, platron: null };

  it.each(["RU", "BY"])("are offered to a buyer in %s", (country) => {
    const pages = {
      redirectUrl: "https://pay.example/1",
      widgetToken: "ct-1",
      hasSubscription: false,
      isUnreachable: false,
    };
    expect(yookassaPlatronOffer({ ...campaign, providers: both }, country)).toEqual(pages);
  });

  it("leave no card form when neither sells the product", () => {
    const pages = { redirectUrl: null, widgetToken: null, hasSubscription: false, isUnreachable: false };
    expect(yookassaPlatronOffer(campaign, "RU")).toEqual(pages);
    expect(yookassaPlatronOffer({ ...campaign, providers: { ...none, unavailable: [] } }, "RU")).toEqual(pages);
  });

  it("are unreachable when no provider answers, but not while one does", () => {
    const unavailable = ["yookassa", "platron"];
    expect(yookassaPlatronOffer({ ...campaign, providers: { ...none, unavailable } }, "RU")?.isUnreachable).toBe(true);
    const providers = { ...none, platron: both.platron, unavailable: ["yookassa"] };
    expect(yookassaPlatronOffer({ ...campaign, providers }, "RU")?.isUnreachable).toBe(false);
  });

  it("are offered where the server says so, even if the browser stored another country", () => {
    expect(yookassaPlatronOffer({ ...campaign, providers: both }, "DE")).not.toBeNull();
    expect(yookassaPlatronOffer({ ...campaign, providers: { yookassa: null, platron: null } }, "DE")).toBeNull();
  });

  it("report an existing subscription", () => {
    const providers = { yookassa: { has_subscription: true, confirmation_token: null }, platron: null };
    expect(yookassaPlatronOffer({ ...campaign, providers }, "RU")).toMatchObject({
      hasSubscription: true,
      widgetToken: null,
    });
  });
});
