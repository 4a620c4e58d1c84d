import { describe, expect, it } from "vitest";
import type { Campaign, Providers } from "~/features/payment/offer/offer";
import { yookassaPlatronOffer } from "./yookassa-platron";

const campaign: Campaign = {
  customer_id: null,
  price_id: "prc_1",
  currency: "USD",
  price: 69.99,
  discount_rate: 0,
  default_price: 69.99,
  default_price_currency: "USD",
  discount_amount: 0,
  trial_days: 7,
  campaign_id: "cmp_1",
  period_months: 12,
  product: "premium",
  kind: "subscription",
};
describe("where cards of Russia are taken", () => {
  const both: Providers = {
    yookassa: { has_subscription: false, confirmation_token: "ct-1" },
    platron: { price_id: "prc_1", redirect_url: "https://pay.example/1" },
  };

  const none: Providers = { yookassa: { has_subscription: false, confirmation_token: null }, platron: null };

  it.each(["RU", "BY"])("is with Russian providers for somebody in %s", (country) => {
    const pages = {
      redirectUrl: "https://pay.example/1",
      widgetToken: "ct-1",
      hasSubscription: false,
      isUnreachable: false,
    };
    expect(yookassaPlatronOffer({ ...campaign, providers: both }, country)).toEqual(pages);
  });

  it("is nowhere when none of them sells it, and no card form is shown for all that", () => {
    const pages = { redirectUrl: null, widgetToken: null, hasSubscription: false, isUnreachable: false };
    expect(yookassaPlatronOffer(campaign, "RU")).toEqual(pages);
    expect(yookassaPlatronOffer({ ...campaign, providers: { ...none, unavailable: [] } }, "RU")).toEqual(pages);
  });

  it("is out of reach when none of those who sell it answers, and not while one does", () => {
    const unavailable = ["yookassa", "platron"];
    expect(yookassaPlatronOffer({ ...campaign, providers: { ...none, unavailable } }, "RU")?.isUnreachable).toBe(true);
    const providers = { ...none, platron: both.platron, unavailable: ["yookassa"] };
    expect(yookassaPlatronOffer({ ...campaign, providers }, "RU")?.isUnreachable).toBe(false);
  });

  it("is where the server says, although the browser remembers another country", () => {
    expect(yookassaPlatronOffer({ ...campaign, providers: both }, "DE")).not.toBeNull();
    expect(yookassaPlatronOffer({ ...campaign, providers: { yookassa: null, platron: null } }, "DE")).toBeNull();
  });

  it("knows who has a subscription there", () => {
    const providers = { yookassa: { has_subscription: true, confirmation_token: null }, platron: null };
    expect(yookassaPlatronOffer({ ...campaign, providers }, "RU")).toMatchObject({
      hasSubscription: true,
      widgetToken: null,
    });
  });
});
