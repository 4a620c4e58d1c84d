import { describe, expect, it } from "vitest";
import type { Campaign, Providers } from "~/features/payment/offer/offer";
import { viewOrder } from "~/features/payment/order/order-view";
import { directWay } from "../pay/intent-kind";
import { russianPages } from "../yookassa-platron/yookassa-platron";

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
const trial: Campaign = {
  ...campaign,
  has_trial_price: true,
  trial_prices: { stripe: [{ price_id: "prc_fee", id: "prc_1", price: 1 }] },
};
const sale = { transactionType: "subscription", locale: "en" } as const;

describe("what is paid directly", () => {
  it("is a trial that costs something, whatever its page says", () => {
    expect(directWay(trial, sale)).toBe("trial");
    expect(directWay(trial, { transactionType: "lifetime", locale: "ru" })).toBe("trial");
  });

  it("is what is sold for good", () => {
    expect(directWay({ ...campaign, kind: "lifetime" }, sale)).toBe("lifetime");
  });

  it("is what a Russian page calls so, and no other page", () => {
    expect(directWay(campaign, { transactionType: "lifetime", locale: "ru" })).toBe("lifetime");
    expect(directWay(campaign, { transactionType: "lifetime", locale: "en" })).toBeNull();
  });

  it("is nothing else", () => {
    expect(directWay(campaign, sale)).toBeNull();
    expect(directWay({ ...campaign, has_trial_price: false }, sale)).toBeNull();
  });

  it("shows what is due today: the trial, not nothing", () => {
    const order = viewOrder(trial, "en", new Date(2026, 10, 20));
    expect(order).toMatchObject({ dueToday: "$1", trialFee: "$1", isOnce: false });
    expect(viewOrder(campaign, "en", new Date())).toMatchObject({ dueToday: "$0", trialFee: null });
    expect(viewOrder({ ...campaign, kind: "lifetime" }, "en", new Date()).isOnce).toBe(true);
  });
});

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
      isOutOfReach: false,
    };
    expect(russianPages({ ...campaign, providers: both }, country)).toEqual(pages);
  });

  it("is nowhere when none of them sells it, and no card form is shown for all that", () => {
    const pages = { redirectUrl: null, widgetToken: null, hasSubscription: false, isOutOfReach: false };
    expect(russianPages(campaign, "RU")).toEqual(pages);
    expect(russianPages({ ...campaign, providers: { ...none, unavailable: [] } }, "RU")).toEqual(pages);
  });

  it("is out of reach when none of those who sell it answers, and not while one does", () => {
    const unavailable = ["yookassa", "platron"];
    expect(russianPages({ ...campaign, providers: { ...none, unavailable } }, "RU")?.isOutOfReach).toBe(true);
    const providers = { ...none, platron: both.platron, unavailable: ["yookassa"] };
    expect(russianPages({ ...campaign, providers }, "RU")?.isOutOfReach).toBe(false);
  });

  it("is where the server says, although the browser remembers another country", () => {
    expect(russianPages({ ...campaign, providers: both }, "DE")).not.toBeNull();
    expect(russianPages({ ...campaign, providers: { yookassa: null, platron: null } }, "DE")).toBeNull();
  });

  it("knows who has a subscription there", () => {
    const providers = { yookassa: { has_subscription: true, confirmation_token: null }, platron: null };
    expect(russianPages({ ...campaign, providers }, "RU")).toMatchObject({ hasSubscription: true, widgetToken: null });
  });
});
