import { describe, expect, it } from "vitest";
import type { PlanPartFragment } from "~/gen/graphql";
import { drawQr } from "~/ui/qr/draw-qr";
import { presentPlanList } from "../plan-list/present.server";
import { button, offer } from "../samples/parts";
import { consentOf, consentOrDefault } from "./consent.server";

const annual: PlanPartFragment = {
  title: "Annual",
  description: null,
  url: null,
  background: null,
  badge: null,
  features: [],
  button: { ...button, text: "Choose annual" },
  price: {
    campaignName: "web-annual",
    couponCode: null,
    divider: 12,
    mainPriceSuffix: "list",
    discountedPriceSuffix: "a month",
    title: null,
    offer,
  },
};

const present = (...plans: PlanPartFragment[]) =>
  presentPlanList(
    { __typename: "PlanList", id: "plans", heading: null, description: null, note: null, plans },
    { locale: "en", template: "Home" },
  );

describe("a plan", () => {
  it("shows its divided price, the divided list price, and the total", () => {
    expect(present(annual).plans[0]?.price).toEqual({
      headline: "$5.83",
      headlineSuffix: "a month",
      list: "$12.99",
      listSuffix: "list",
      saving: "55%",
      total: "$69.99",
      periodMonths: 12,
      trialDays: 7,
    });
  });

  it("has no list price without a saving", () => {
    const plain = { ...offer, defaultPrice: 69.99, discountRate: 0 };
    const price = present({ ...annual, price: { ...annual.price, offer: plain } }).plans[0]?.price;
    expect(price).toMatchObject({ list: null, listSuffix: null, saving: null });
  });

  it("has the suffix of the list price where its own is missing", () => {
    const price = { ...annual.price, discountedPriceSuffix: null };
    expect(present({ ...annual, price }).plans[0]?.price?.headlineSuffix).toBe("list");
  });

  it("has no price while it is unknown", () => {
    expect(present({ ...annual, price: { ...annual.price, offer: null } }).plans[0]?.price).toBeNull();
  });

  it("has the link of its button, or its own", () => {
    expect(present(annual).plans[0]?.href).toBe("/en/payment/annual/");
    expect(present({ ...annual, url: "/payment/family" }).plans[0]?.href).toBe("/en/payment/family/");
  });
});

describe("the preselected plan", () => {
  it("is the one with a badge, else the first", () => {
    expect(present(annual, { ...annual, badge: "Best value" }).preselected).toBe(1);
    expect(present(annual, annual).preselected).toBe(0);
  });
});

describe("a QR code", () => {
  it("has a quiet zone of four modules and is one path", () => {
    const { size, path } = drawQr("https://www.stillpoint.example/app/");
    const starts = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, x, y, run]) => [
      Number(x),
      Number(y),
      Number(run),
    ]);
    expect(Math.min(...starts.map(([x = 0]) => x))).toBe(4);
    expect(Math.max(...starts.map(([x = 0, , run = 0]) => x + run))).toBe(size - 4);
    expect(path.length).toBeLessThan(8_000);
  });
});

describe("a required box", () => {
  const html = "<p>I agree.</p>";

  it("is absent without a text", () => {
    expect(consentOf(true, html)).toBe(html);
    expect([consentOf(false, html), consentOf(true, null), consentOf(true, "")]).toEqual([null, null, null]);
  });

  it("has our text on a form without one from content, except for `none`", () => {
    expect(consentOrDefault(true, null, null)).toBe(true);
    expect(consentOrDefault(true, "I agree.", html)).toBe(html);
    expect([consentOrDefault(true, "none", null), consentOrDefault(false, null, null)]).toEqual([false, false]);
  });
});
