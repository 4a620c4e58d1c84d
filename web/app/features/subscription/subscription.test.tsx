// @vitest-environment jsdom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { setSession } from "~/lib/session/session";
import { overdue, sample } from "./subscription-fixture";
import { gateway, has, LIST, PURCHASES, press, sentTo, show } from "./test-harness";

describe("before the session is known", () => {
  it("the page contains the sign-in prompt and the skeleton; styles select one", () => {
    setSession({ state: "unknown" });
    show();
    const wayIn = screen.getByRole("link", { name: "Sign in" });
    expect(wayIn.getAttribute("href")).toBe("/en/signin/?redirectPage=%2Fen%2Faccount%2F");
    expect(wayIn.closest("[class*='member:hidden']")).not.toBeNull();
    expect(screen.getByText("Loading your subscription").closest("[class*='visitor:hidden']")).not.toBeNull();
    expect(sentTo(LIST)).toEqual([]);
  });
});

/** It does not renew, and the server lists no action. */
const ending = { available_actions: [], renews: false };

describe("a member", () => {
  it("sees the plan, its price, the next event, the card and the receipts", async () => {
    has(sample({ period_months: 1 }));
    show();
    const plan = within(await screen.findByRole("article", { name: "Stillpoint Premium" }));
    expect(plan.getByText("$9.99 every month")).toBeTruthy();
    expect(plan.getByText("Active")).toBeTruthy();
    expect(plan.getByText("Renews on December 10, 2026 for $9.99.")).toBeTruthy();
    expect(screen.getByText("Visa, ending in 4242")).toBeTruthy();
    const receipt = screen.getByRole("listitem");
    expect(receipt.textContent).toBe("November 10, 2026First payment$9.99PaidReceipt");
  });

  it.each([
    [sample({ status: "trialing" }), "First payment on December 10, 2026: $9.99. Cancel before then and pay nothing."],
    [sample({ cancel_at: "2026-12-10T12:00:00Z" }), "Ends on December 10, 2026. You keep everything until then."],
    [sample({ paused_until: "2027-01-22T12:00:00Z" }), "Paused until January 22, 2027. Nothing is charged until then."],
    [
      sample({ status: "past_due", overdue }),
      "We could not charge $9.99. We try again, and you keep everything until December 24, 2026.",
    ],
    [
      sample({ overdue: { ...overdue, needs_new_card: true } }),
      "We could not charge $9.99, and your bank asks for another card. You keep everything until December 24, 2026.",
    ],
    [
      sample({ current_period_end: "2026-11-22T09:59:00Z" }),
      "Your renewal is under way. This page shows it as soon as it is paid.",
    ],
  ])("sees the next event (%#)", async (subscription, text) => {
    has(subscription);
    show();
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it("sees where an externally managed subscription is managed, without actions", async () => {
    has(sample({ provider: "paypal", available_actions: [] }));
    show();
    await screen.findByText(
      "You pay for this subscription elsewhere, for example at PayPal. Change or cancel it there.",
    );
    expect(screen.getByText("Renews on December 10, 2026 for $9.99.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Cancel subscription" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Use another card" })).toBeNull();
  });

  it.each([
    ["cancelled at PayPal", sample({ provider: "paypal", cancel_at: "2026-12-10T12:00:00Z", ...ending })],
    ["paid with YooKassa, which saved no payment method", sample({ provider: "yookassa", ...ending })],
    ["paid with Platron, which saved no payment method", sample({ provider: "platron", ...ending })],
  ])("sees the end of a subscription %s, and is sent nowhere else", async (_, subscription) => {
    has(subscription);
    show();
    await screen.findByText("Ends on December 10, 2026. You keep everything until then.");
    expect(screen.queryByText(/You pay for this subscription elsewhere/)).toBeNull();
    expect(screen.queryByRole("button", { name: "Cancel subscription" })).toBeNull();
  });

  it.each(["yookassa", "platron"] as const)(
    "sees that an unpaid subscription lapses where no other card can be saved, with %s",
    async (provider) => {
      has(sample({ provider, available_actions: ["cancel"], overdue: { ...overdue, needs_new_card: true } }));
      show();
      await screen.findByText(
        "We could not charge $9.99, and this payment method cannot be charged again. You keep everything until December 24, 2026. Then the subscription ends, and you can start a new one with another card.",
      );
      expect(screen.getByText("Payment failed")).toBeTruthy();
      expect(screen.getByRole("button", { name: "Cancel subscription" })).toBeTruthy();
      expect(screen.queryByRole("button", { name: "Use another card" })).toBeNull();
    },
  );

  it("sees only the actions that the provider supports", async () => {
    has(sample({ provider: "paypal", available_actions: ["cancel"] }));
    show();
    expect(await screen.findByRole("button", { name: "Cancel subscription" })).toBeTruthy();
    for (const name of ["Use another card", "Change plan", "Take a break"]) {
      expect(screen.queryByRole("button", { name }), name).toBeNull();
    }
    expect(screen.queryByText(/You pay for this subscription elsewhere/)).toBeNull();
  });

  it("sees the link to the withdrawal form", async () => {
    has(sample());
    show();
    const link = await screen.findByRole("link", { name: "Withdraw from a contract" });
    expect(link.getAttribute("href")).toBe("/en/withdraw/");
  });

  it.each(["stripe", "paypal", "yookassa", "platron"] as const)(
    "sees that it renews and can be cancelled, with %s",
    async (provider) => {
      has(sample({ provider, available_actions: ["cancel"] }));
      show();
      await screen.findByText("Renews on December 10, 2026 for $9.99.");
      expect(screen.getByText("Active")).toBeTruthy();
      expect(screen.getByRole("button", { name: "Cancel subscription" })).toBeTruthy();
    },
  );

  it("sees texts, dates and amounts in the language", async () => {
    has(sample({ price: 59.99, currency: "TRY", period_months: 12 }));
    show("tr");
    expect(await screen.findByText("12 ayda bir 59,99 ₺")).toBeTruthy();
    expect(screen.getByText("10 Aralık 2026 tarihinde 59,99 ₺ karşılığında yenilenir.")).toBeTruthy();
  });

  it("without a subscription sees the plans and earlier receipts", async () => {
    has(
      sample({ status: "canceled", current_period_end: null }),
      sample({ subscription_id: "sub_0", status: "expired" }),
    );
    show();
    expect((await screen.findByRole("link", { name: "See the plans" })).getAttribute("href")).toBe("/en/pricing/");
    expect(screen.getByRole("heading", { name: "Nothing runs" })).toBeTruthy();
    expect(screen.getByText("This subscription has ended.")).toBeTruthy();
    expect(screen.getAllByRole("listitem")).toHaveLength(1);
    expect(screen.queryByRole("button", { name: "Cancel subscription" })).toBeNull();
  });

  it("sees one-time purchases with receipts, and no plans beside a lifetime purchase", async () => {
    has();
    const receipt = { payment_id: "pay_2", paid_at: "2026-11-10T12:00:00Z", amount: 199.99, currency: "USD" };
    const lifetime = {
      order_id: "ord_2",
      kind: "lifetime",
      product: "premium-lifetime",
      provider: "yookassa",
      refunded: 10,
      receipts: [{ ...receipt, reason: "first" }],
    };
    gateway.replies[PURCHASES] = [200, { purchases: [lifetime] }];
    show();
    const row = await screen.findByRole("listitem");
    expect(row.textContent).toBe("Stillpoint PremiumFor goodNovember 10, 2026$10 was given back$199.99PaidReceipt");
    expect(screen.queryByText("Nothing runs")).toBeNull();
    await press("Receipt of November 10, 2026");
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByText("pay_2")).toBeTruthy();
    expect(dialog.getByText("YooKassa")).toBeTruthy();
    expect(dialog.getByText("For good")).toBeTruthy();
  });

  it("sees the plans beside a lifetime purchase that was refunded in full", async () => {
    has();
    const receipt = { payment_id: "pay_2", paid_at: "2026-11-10T12:00:00Z", amount: 199.99, currency: "USD" };
    const lifetime = { order_id: "ord_2", kind: "lifetime", product: "premium-lifetime", provider: "stripe" };
    const purchase = { ...lifetime, refunded: 199.99, receipts: [{ ...receipt, reason: "first" }] };
    gateway.replies[PURCHASES] = [200, { purchases: [purchase] }];
    show();
    await screen.findByText("$199.99 was given back");
    expect(screen.getByText("Nothing runs")).toBeTruthy();
  });

  it("sees a coaching subscription by its name, in the plan and on the receipt", async () => {
    has(sample({ product: "coaching" }));
    show("de");
    await screen.findByRole("article", { name: "Stillpoint Coaching" });
    await press("Quittung vom 10. November 2026");
    expect(within(screen.getByRole("dialog")).getByText("Stillpoint Coaching")).toBeTruthy();
  });

  it("sees a session purchase beside the plans", async () => {
    has();
    const session = {
      order_id: "ord_3",
      kind: "addition",
      product: "therapy-session",
      provider: "stripe",
      refunded: null,
    };
    const receipt = {
      payment_id: "pay_3",
      paid_at: "2026-11-10T12:00:00Z",
      amount: 49,
      currency: "USD",
      reason: "first",
    };
    gateway.replies[PURCHASES] = [200, { purchases: [{ ...session, receipts: [receipt] }] }];
    show();
    await screen.findByText("Extra session");
    expect(screen.getByText("Therapy session")).toBeTruthy();
    expect(screen.getByText("Nothing runs")).toBeTruthy();
  });

  it("can retry when purchases failed to load", async () => {
    gateway.replies[PURCHASES] = [503, {}];
    show();
    await screen.findByRole("article", { name: "Stillpoint Premium" });
    gateway.replies[PURCHASES] = [200, { purchases: [] }];
    await press("Try again");
    await screen.findByRole("article", { name: "Stillpoint Premium" });
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("sees a note while a payment is unconfirmed", async () => {
    has(sample({ status: "incomplete", created_at: "2026-11-22T09:30:00Z", current_period_end: null, receipts: [] }));
    show();
    await screen.findByText(/A payment of yours is not confirmed yet/);
    expect(screen.queryByText("Nothing runs")).toBeNull();
  });

  it("sees old receipts collapsed", async () => {
    const [receipt] = sample().receipts;
    has(
      sample({
        receipts: Array.from({ length: 9 }, (_, index) => ({ ...receipt, payment_id: `pay_${index}` })) as never,
      }),
    );
    show();
    const earlier = (await screen.findByText("Earlier payments")).closest("details");
    expect(within(earlier as HTMLElement).getAllByRole("listitem", { hidden: true })).toHaveLength(3);
  });

  it("can retry when subscriptions failed to load", async () => {
    gateway.replies[LIST] = "lost";
    show();
    expect((await screen.findByRole("alert")).textContent).toContain("We could not reach our server.");
    has(sample());
    await press("Try again");
    await screen.findByRole("article", { name: "Stillpoint Premium" });
  });

  it("sees nothing after the session ended elsewhere", async () => {
    gateway.replies[LIST] = [401, { code: "V100" }];
    show();
    await screen.findByRole("link", { name: "Sign in" });
  });
});
