// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import PaymentFooter from "../payment-footer/payment-footer";
import PaymentPrice from "../payment-price/payment-price";
import { presentPriceBadge } from "../presenting/colours.server";
import PriceBadge from "../price-badge/price-badge";
import ProductPlan from "../product-plan/product-plan";
import { samples } from "../samples";
import SpecialOfferBox from "../special-offer-box/special-offer-box";
import TrialDialog from "../trial-dialog/trial-dialog";
import UserProfileUpdate from "../user-profile-update/user-profile-update";
import WhyNowDialog from "../why-now-dialog/why-now-dialog";
import { renderBlock, stubBrowser } from "./test-harness";

/** Plans, prices and related blocks. */

beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("a price badge", () => {
  it("has its text before the price in English", () => {
    const { container } = renderBlock(PriceBadge, { id: "badge" });
    expect(container.textContent).toMatch(/\$91\.99 a year instead of \$155\.88/);
  });

  it("has it behind the price in Turkish", () => {
    const { container } = renderBlock(PriceBadge, { id: "badge", url: "/tr/" });
    expect(container.textContent).toMatch(/\$155\.88 yerine \$91\.99/);
  });

  it("shows the partner's logo, and its own text without a period", () => {
    const { container } = renderBlock(PriceBadge, { id: "badge-partner" });
    expect(screen.getByRole("img", { name: "Turkcell" })).toBeTruthy();
    expect(container.textContent).toBe("3 months for the price of 1");
  });

  it("has content's icon colour", () => {
    const { container } = renderBlock(PriceBadge, { id: "badge-icon" });
    expect(container.querySelector("use[href*='#feature-sun']")?.parentElement?.getAttribute("color")).toBe("#f2c76e");
  });

  it("accepts colour tokens", () => {
    const badge = samples.find(({ id }) => id === "badge-icon") as Parameters<typeof PriceBadge>[0]["block"];
    const named = { ...badge.badge, backgroundColor: "night", iconColor: "gold", actualPriceColor: "coral" };
    const block = presentPriceBadge({ ...badge, badge: named });
    const { container } = renderBlock((() => <PriceBadge block={block} />) as never, { id: "badge-icon" });
    expect(container.querySelector("stop")?.getAttribute("stop-color")).toBe("#2f2a63");
    expect(container.querySelector(".text-white")).not.toBeNull();
    expect(container.querySelector("use[href*='#feature-sun']")?.parentElement?.getAttribute("color")).toBe("#f2c76e");
    expect(container.querySelector("s path")?.getAttribute("stroke")).toBe("#f4a58a");
  });

  it("without a number is hidden", () => {
    expect(renderBlock(PriceBadge, { id: "badge-free" }).container.textContent).toBe("");
  });

  it("shows the hungry disc", () => {
    const { container } = renderBlock(PriceBadge, { id: "badge-gradient" });
    expect(container.querySelector('svg path[fill="#f2c76e"]')).not.toBeNull();
  });
});

describe("a plan", () => {
  it("has its divided price, the list price, and the total", () => {
    renderBlock(ProductPlan, { id: "product-plan" });
    expect(screen.getByText("$7.67")).toBeTruthy();
    expect(screen.getByText("a month")).toBeTruthy();
    expect(screen.getByText("$12.99 a month")).toBeTruthy();
    expect(screen.getByText(/then/).textContent).toBe("7 days free, then $91.99 every 12 months");
    expect(screen.getByRole("link", { name: "Choose annual" }).getAttribute("href")).toBe("/en/payment/annual/");
  });

  it("shows a placeholder while the price is unknown", () => {
    renderBlock(ProductPlan, { id: "product-plan-plain" });
    expect(screen.getByText("You see the price before you pay.")).toBeTruthy();
  });
});

describe("on the payment page", () => {
  it("a footer shows logos and links", () => {
    renderBlock(PaymentFooter, { id: "payment-footer" });
    expect(screen.getByRole("img", { name: "Turkcell" })).toBeTruthy();
    expect(screen.getByText(/encrypted connection/)).toBeTruthy();
    expect(screen.getAllByRole("link").map((link) => link.textContent?.split("(")[0]?.trim())).toEqual([
      "Terms",
      "Privacy",
      "Help with a payment",
    ]);
  });

  it("a price block shows the price and the list price", () => {
    renderBlock(PaymentPrice, { id: "payment-price" });
    expect(screen.getByText("$7.67")).toBeTruthy();
    expect(screen.getByText("$12.99").closest("s")).not.toBeNull();
    expect(screen.getByText(/You can stop at any time/)).toBeTruthy();
  });
});

describe("a special offer", () => {
  it("is described once and links to its page", () => {
    renderBlock(SpecialOfferBox, { id: "special-offer" });
    expect(screen.getByRole("heading", { name: "A second year at half the price" })).toBeTruthy();
    expect(screen.getByText("Only on this page")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Add the second year" })).toBeTruthy();
  });

  it("is shown on the profile completion page", () => {
    renderBlock(UserProfileUpdate, { id: "user-profile-update" });
    const box = within(screen.getByRole("complementary"));
    expect(box.getByRole("heading").textContent).toBe("A second year at half the price");
    expect(box.getByRole("link")).toBeTruthy();
  });
});

describe("a dialog", () => {
  it("gives the reasons, and closes again", () => {
    renderBlock(WhyNowDialog, { id: "why-now" });
    expect(screen.queryByRole("dialog")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Why now?" }));
    const dialog = screen.getByRole("dialog", { name: "Why now is a good time" });
    expect(dialog.textContent).toContain("Habits begin on ordinary days");
    fireEvent.click(within(dialog).getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("lists the three steps of the trial in order", () => {
    renderBlock(TrialDialog, { id: "trial" });
    fireEvent.click(screen.getByRole("button", { name: "How the free days work" }));
    const steps = within(screen.getByRole("dialog")).getAllByRole("listitem");
    expect(steps.map((step) => step.textContent)).toEqual([
      expect.stringMatching(/^TodayEverything opens/),
      expect.stringMatching(/^Day 5We remind you/),
      expect.stringMatching(/^Day 7The year begins/),
    ]);
  });
});
