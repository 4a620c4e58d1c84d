// @vitest-environment jsdom
import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Plan, PlanPreview } from "../api";
import { sample, scheduled } from "../subscription-fixture";
import { nextChargeAt } from "../subscription-status";
import { actionCall, findFocusedNotice, gateway, has, named, press, sentTo, show } from "../test-harness";

const PLANS = "GET /api/subscriptions/sub_1/plans";
const PREVIEW = "POST /api/subscriptions/sub_1/plan-preview";

const monthly: Plan = {
  campaign: "web-monthly",
  coupon_code: "",
  price_id: "prc_month",
  price: 9.99,
  currency: "USD",
  period_months: 1,
  current: true,
  starts_at: null,
};
const annual: Plan = {
  ...monthly,
  campaign: "web-annual",
  price_id: "prc_year",
  price: 69.99,
  period_months: 12,
  current: false,
};
const preview: PlanPreview = {
  price_id: "prc_year",
  due_now: 63.5,
  due_now_minor: 6350,
  // biome-ignore lint/suspicious/noThenProperty: the API has a field of this name; it is not a promise.
  then: 69.99,
  currency: "USD",
  period_months: 12,
  prorated_at: "2026-11-22T10:00:00Z",
  starts_at: null,
};

const dialog = () => within(screen.getByRole("dialog", { name: "Change your plan" }));
const offered = (...plans: Plan[]) => {
  gateway.replies[PLANS] = [200, { plans }];
};

describe("a plan change", () => {
  it("is chosen, previewed with its cost, and sent as previewed", async () => {
    offered(monthly, annual);
    gateway.replies[PREVIEW] = [200, preview];
    gateway.replies[actionCall("plan")] = [200, sample({ price: 69.99, period_months: 12 })];
    show();
    await press("Change plan");
    expect(await dialog().findByText("$9.99 every month")).toBeTruthy();
    expect(dialog().getByRole<HTMLInputElement>("radio", { name: "$69.99 every 12 months" }).checked).toBe(true);
    fireEvent.click(dialog().getByRole("button", { name: "See what it costs" }));

    expect(await dialog().findByText("$63.50")).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("What you pay");
    expect(dialog().getByText("From November 22, 2027")).toBeTruthy();
    expect(dialog().getByText("$69.99 every 12 months")).toBeTruthy();
    expect(sentTo(PREVIEW)).toEqual([{ price_id: "prc_year" }]);
    expect(sentTo(actionCall("plan"))).toEqual([]);

    fireEvent.click(dialog().getByRole("button", { name: "Pay $63.50 and change" }));
    expect(await findFocusedNotice("Your plan is changed.")).toBe("status");
    expect(screen.getByText("$69.99 every 12 months")).toBeTruthy();
    expect(sentTo(actionCall("plan"))).toEqual([
      { price_id: "prc_year", prorated_at: "2026-11-22T10:00:00Z", due_now_minor: 6350, currency: "USD" },
    ]);
  });

  it("can be abandoned without a change", async () => {
    offered(monthly, annual);
    gateway.replies[PREVIEW] = [200, preview];
    show();
    await press("Change plan");
    fireEvent.click(await dialog().findByRole("button", { name: "See what it costs" }));
    fireEvent.click(await dialog().findByRole("button", { name: "Choose again" }));
    expect(await dialog().findByRole("radio")).toBeTruthy();
    fireEvent.click(dialog().getByRole("button", { name: "Not now" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(sentTo(actionCall("plan"))).toEqual([]);
  });

  it("shows when there are no other plans", async () => {
    offered(monthly);
    show();
    await press("Change plan");
    expect(await dialog().findByText("There is no other plan to change to at the moment.")).toBeTruthy();
  });

  it("can be retried after a lost response", async () => {
    gateway.replies[PLANS] = "lost";
    show();
    await press("Change plan");
    const again = await dialog().findByRole("button", { name: "Try again" });
    offered(monthly, annual);
    fireEvent.click(again);
    expect(await dialog().findByRole("radio")).toBeTruthy();
  });

  it("that the server rejects on preview lets another be chosen", async () => {
    offered(monthly, annual);
    gateway.replies[PREVIEW] = [422, { code: "PLAN_COSTS_LESS" }];
    show();
    await press("Change plan");
    fireEvent.click(await dialog().findByRole("button", { name: "See what it costs" }));
    expect(await dialog().findByText(/This plan costs less than what you have paid for/)).toBeTruthy();
    gateway.replies[PREVIEW] = [200, preview];
    fireEvent.click(dialog().getByRole("button", { name: "See what it costs" }));
    expect(await dialog().findByText("$63.50")).toBeTruthy();
  });

  it("with an expired preview shows it at the plan", async () => {
    offered(monthly, annual);
    gateway.replies[PREVIEW] = [200, preview];
    gateway.replies[actionCall("plan")] = [422, { code: "PREVIEW_EXPIRED" }];
    show();
    await press("Change plan");
    fireEvent.click(await dialog().findByRole("button", { name: "See what it costs" }));
    fireEvent.click(await dialog().findByRole("button", { name: "Pay $63.50 and change" }));
    expect(await findFocusedNotice("The price has been worked out anew since you looked. Please look again.")).toBe(
      "alert",
    );
    expect(named("Change plan")).toBeTruthy();
  });

  it("keeps the period when it has the same length, else starts a new one", () => {
    const now = new Date("2026-11-22T10:00:00Z");
    expect(nextChargeAt(sample(), 1, now).toISOString()).toBe("2026-12-10T12:00:00.000Z");
    expect(nextChargeAt(sample(), 12, now).toISOString().slice(0, 10)).toBe("2027-11-22");
  });
});

describe("a cheaper plan", () => {
  const yearly = sample({ price: 69.99, period_months: 12, current_period_end: scheduled.starts_at });
  const changing = { ...yearly, scheduled_plan: scheduled, available_actions: ["card", "plan", "cancel", "keep_plan"] };
  const current = { ...annual, current: true };
  const cheaper = { ...monthly, current: false, starts_at: scheduled.starts_at };

  it("starts at the end of the paid period and charges nothing now", async () => {
    has(yearly);
    offered(current, cheaper);
    const later = { ...preview, price_id: "prc_month", due_now: 0, due_now_minor: 0, period_months: 1 };
    // biome-ignore lint/suspicious/noThenProperty: the API has a field of this name; it is not a promise.
    gateway.replies[PREVIEW] = [200, { ...later, then: 9.99, starts_at: scheduled.starts_at }];
    gateway.replies[actionCall("plan")] = [200, changing];
    show();
    await press("Change plan");
    const radio = await dialog().findByRole("radio");
    expect(radio.closest("label")?.textContent).toContain("Begins on November 10, 2027. Nothing to pay today.");
    fireEvent.click(dialog().getByRole("button", { name: "See what it costs" }));

    expect(await dialog().findByText("$0")).toBeTruthy();
    expect(dialog().getByText("From November 10, 2027").nextSibling?.textContent).toBe("$9.99 every month");
    expect(dialog().queryByRole("button", { name: /Pay/ })).toBeNull();
    fireEvent.click(dialog().getByRole("button", { name: "Change on November 10, 2027" }));

    expect(await findFocusedNotice("Noted. Your new plan begins on November 10, 2027.")).toBe("status");
    expect(sentTo(actionCall("plan"))).toEqual([
      { price_id: "prc_month", prorated_at: "2026-11-22T10:00:00Z", due_now_minor: 0, currency: "USD" },
    ]);
    expect(screen.getByText("$69.99 every 12 months")).toBeTruthy();
    expect(screen.getByText("Your new plan begins on November 10, 2027: $9.99 every month.")).toBeTruthy();
    expect(screen.queryByText(/Renews on/)).toBeNull();
    expect(screen.queryByRole("button", { name: "Take a break" })).toBeNull();
  });

  it("can be undone until it starts", async () => {
    has(changing);
    gateway.replies[actionCall("keep_plan")] = [200, yearly];
    show();
    await press("Keep my current plan");
    await findFocusedNotice("Your plan stays as it is.");
    expect(sentTo(actionCall("keep_plan"))).toEqual([{}]);
    expect(screen.getByText("Renews on November 10, 2027 for $69.99.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Keep my current plan" })).toBeNull();
  });

  it("that is scheduled must be undone before a dearer one is chosen", async () => {
    has(changing);
    offered(current);
    show();
    await press("Change plan");
    const text = "A change to another plan is already set. Keep your current plan first.";
    expect(await dialog().findByText(text)).toBeTruthy();
    expect(dialog().queryByRole("radio")).toBeNull();
  });
});

describe("a receipt", () => {
  it("names seller, buyer, product, date, amount and method, and can be printed", async () => {
    const print = vi.fn();
    vi.stubGlobal("print", print);
    has(sample());
    show();
    await press("Receipt of November 10, 2026");
    const receipt = within(screen.getByRole("dialog", { name: "Receipt of November 10, 2026" }));
    const lines = receipt.getAllByRole("definition").map(({ textContent }) => textContent);
    expect(lines).toEqual([
      "Stillpoint Example Ltd\n1 Quiet Lane",
      "Adaada@example.org",
      "November 10, 2026",
      "Stillpoint PremiumFirst payment",
      "$9.99 (USD)",
      "Card",
      "pay_1",
    ]);
    fireEvent.click(receipt.getByRole("button", { name: "Print or save" }));
    expect(print).toHaveBeenCalledOnce();
    fireEvent.click(receipt.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("names the provider but no card", async () => {
    has(sample({ provider: "paypal", available_actions: [] }));
    show();
    await press("Receipt of November 10, 2026");
    expect(within(screen.getByRole("dialog")).getByText("PayPal")).toBeTruthy();
  });
});
