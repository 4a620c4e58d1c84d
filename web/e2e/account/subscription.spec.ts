import type { Page } from "@playwright/test";
import { Buyer, cards } from "../support/buyer.ts";
import { smoke } from "../support/passes.ts";
import { alive, expect, expectAccessible, test } from "../support/stillpoint.ts";
import { calls } from "../support/wire.ts";

/** What members do with their subscription. */

const main = (page: Page) => page.getByRole("main");
const plan = (page: Page) => main(page).getByRole("article", { name: "Stillpoint Premium" });
const button = (page: Page, name: string) => main(page).getByRole("button", { name, exact: true });
const said = (page: Page, text: string | RegExp) => main(page).getByRole("status").filter({ hasText: text });

const DAY_MS = 24 * 60 * 60 * 1000;

interface Owned {
  subscription_id: string;
  status: string;
  current_period_end: string;
  cancel_at: string | null;
  paused_until: string | null;
  card_last4: string | null;
  scheduled_plan: { price: number; starts_at: string } | null;
}

/** What the server says, whatever the page shows. */
async function owned(page: Page): Promise<Owned> {
  const answer = await page.request.get("/api/subscriptions");
  expect(answer.status()).toBe(200);
  const { subscriptions } = (await answer.json()) as { subscriptions: Owned[] };
  expect(subscriptions).toHaveLength(1);
  return subscriptions[0] as Owned;
}

/** The one-time purchases, newest first. They are listed when the provider's answer has been applied. */
async function purchaseKinds(page: Page): Promise<string[]> {
  const answer = await page.request.get("/api/purchases");
  expect(answer.status()).toBe(200);
  const { purchases } = (await answer.json()) as { purchases: { kind: string }[] };
  return purchases.map(({ kind }) => kind);
}

/** Buys, and opens the page once the card is known: the provider is asked for it after the purchase. */
async function subscribe(page: Page) {
  const buyer = new Buyer(page);
  await buyer.opens();
  await buyer.fillIn(cards.good);
  await buyer.submit();
  await buyer.arrives();
  await expect.poll(async () => (await owned(page)).card_last4, { timeout: 60_000 }).toBe("4242");
  await page.goto("/en/account/");
  await expect(plan(page)).toBeVisible();
  return buyer;
}

test(
  "a member sees the subscription, cancels it in two clicks, keeps it, and pays with another card",
  smoke,
  async ({ page }) => {
    const buyer = await subscribe(page);
    await expect(plan(page)).toContainText("$12.99");
    await expect(plan(page)).toContainText(/Renews on \w+ \d+, 20\d\d for \$12\.99\./);
    await expect(main(page).getByText("•••• 4242")).toBeVisible();
    await expect(main(page).getByRole("listitem").filter({ hasText: "First payment" })).toContainText("$12.99");
    await expectAccessible(page);

    await button(page, "Cancel subscription").click();
    const dialog = page.getByRole("alertdialog", { name: "Cancel your subscription?" });
    await expect(dialog).toContainText(/You keep everything until \w+ \d+, 20\d\d/);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Yes, cancel" }).click();
    await expect(said(page, "Cancelled. You keep everything until")).toBeFocused();
    await expect(plan(page)).toContainText(/Ends on \w+ \d+, 20\d\d\. You keep everything until then\./);
    expect((await owned(page)).cancel_at).not.toBeNull();
    await expectAccessible(page);

    await page.reload();
    await expect(plan(page)).toContainText("Ends on");
    await button(page, "Keep my subscription").click();
    await expect(said(page, "Your subscription goes on")).toBeFocused();
    await expect(plan(page)).toContainText("Renews on");
    expect((await owned(page)).cancel_at).toBeNull();

    await button(page, "Use another card").click();
    await expect(main(page).getByRole("heading", { name: "New card" })).toBeFocused();
    await buyer.fillIn(cards.another);
    await expectAccessible(page);
    await button(page, "Save this card").click();
    await expect(said(page, "Your new card is saved.")).toBeFocused();
    await expect(main(page).getByText("•••• 4444")).toBeVisible();
    expect(await owned(page)).toMatchObject({ status: "active", card_last4: "4444" });

    await page.goto("/ar/account/");
    await expect(plan(page)).toBeVisible();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  },
);

test("a member changes to a dearer plan for exactly what was shown, then to a cheaper one, and undoes that", async ({
  page,
}) => {
  await subscribe(page);
  const price = await changesToTheYear(page);
  await keepsTheReceipt(page, price);

  // The year counts from the provider's word that it is paid.
  const ahead = async () => +new Date((await owned(page)).current_period_end) - Date.now();
  await expect.poll(ahead, { timeout: 60_000 }).toBeGreaterThan(300 * DAY_MS);
  await page.reload();
  await expect(plan(page)).toContainText("every 12 months");
  await changesToTheMonthAndBack(page);
});

/** At once and for what it costs, which it returns. */
async function changesToTheYear(page: Page): Promise<string> {
  await button(page, "Change plan").click();
  const dialog = page.getByRole("dialog", { name: "Change your plan" });
  await expect(dialog.getByText("$12.99 every month")).toBeVisible();
  await dialog.getByRole("radio", { name: /every 12 months/ }).check({ force: true });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "See what it costs" }).click();
  await expect(dialog.getByRole("heading", { name: "What you pay" })).toBeFocused();
  await expect(dialog).toContainText(/From \w+ \d+, 20\d\d/);
  const confirm = dialog.getByRole("button", { name: /^Pay \$\d+(\.\d\d)? and change$/ });
  const price = /\$[\d.]+/.exec((await confirm.textContent()) ?? "")?.[0] ?? "";
  await expect(dialog).toContainText(`Today${price}`);
  await expectAccessible(page);
  await confirm.click();
  await expect(said(page, "Your plan is changed.")).toBeFocused({ timeout: 30_000 });
  await expect(plan(page)).toContainText(/every 12 months/);
  return price;
}

/** On the screen and in print. */
async function keepsTheReceipt(page: Page, price: string) {
  // The difference is booked when the provider's word of it has come.
  const change = main(page).getByRole("listitem").filter({ hasText: "Change of plan" });
  await expect(async () => {
    await page.reload();
    await expect(change).toContainText(price, { timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
  await change.getByRole("button", { name: /^Receipt of / }).click();
  const receipt = page.getByRole("dialog", { name: /^Receipt of / });
  await expect(receipt).toContainText("Stillpoint Example Ltd");
  await expect(receipt).toContainText(`${price} (USD)`);
  await expect(receipt.getByText(/^pay_/)).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ media: "print" });
  await expect(receipt.getByText(/^pay_/)).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, includeHidden: true })).toBeHidden();
  await expect(receipt.getByRole("button", { includeHidden: true }).first()).toBeHidden();
  // What stands around it on the screen draws no line through it.
  const around = await receipt.evaluate((dialog) => {
    const lines: string[] = [];
    for (let outer = dialog.parentElement; outer; outer = outer.parentElement)
      lines.push(getComputedStyle(outer).borderWidth);
    return lines;
  });
  expect(new Set(around)).toEqual(new Set(["0px"]));
  await page.emulateMedia({ media: "screen" });
  await receipt.getByRole("button", { name: "Close" }).click();
  await expect(change.getByRole("button", { name: /^Receipt of / })).toBeFocused();
  await expectAccessible(page);
}

/** It begins when the paid time ends. */
async function changesToTheMonthAndBack(page: Page) {
  const renews = /Renews on (\w+ \d+, 20\d\d) for/;
  const end = renews.exec((await plan(page).textContent()) ?? "")?.[1] ?? "";
  await button(page, "Change plan").click();
  const dialog = page.getByRole("dialog", { name: "Change your plan" });
  await dialog.getByRole("radio", { name: /\$12\.99 every month/ }).check({ force: true });
  await expect(dialog).toContainText(`Begins on ${end}. Nothing to pay today.`);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "See what it costs" }).click();
  await expect(dialog).toContainText("Today$0From");
  await expect(dialog).toContainText(`From ${end}$12.99 every month`);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: `Change on ${end}` }).click();
  await expect(said(page, `Noted. Your new plan begins on ${end}.`)).toBeFocused({ timeout: 30_000 });
  await expect(plan(page)).toContainText(`Your new plan begins on ${end}: $12.99 every month.`);
  await expect(button(page, "Take a break")).toHaveCount(0);
  expect((await owned(page)).scheduled_plan).toMatchObject({ price: 12.99 });
  await expectAccessible(page);

  await page.reload();
  await expect(plan(page)).toContainText(`Your new plan begins on ${end}`);
  await button(page, "Keep my current plan").click();
  await expect(said(page, "Your plan stays as it is.")).toBeFocused({ timeout: 30_000 });
  await expect(plan(page)).toContainText(renews);
  expect((await owned(page)).scheduled_plan).toBeNull();
}

async function takesABreak(page: Page) {
  await button(page, "Take a break").click();
  const dialog = page.getByRole("dialog", { name: "Take a break" });
  await dialog.getByRole("radio", { name: /3 months/ }).check({ force: true });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Pause the subscription" }).click();
  await expect(said(page, "Nothing is charged until then.")).toBeFocused();
  expect((await owned(page)).paused_until).not.toBeNull();
  await button(page, "Go on now").click();
  await expect(said(page, "Your subscription runs again.")).toBeFocused();
  expect((await owned(page)).paused_until).toBeNull();
}

test.describe("where something fails", () => {
  // The browser's own lines about a refusal and a call that did not get through.
  test.use({ expected: /status of 4\d\d|ERR_FAILED/ });

  test("a member takes a break and goes on, and learns how it stands when the connection breaks or a card is declined", async ({
    page,
  }) => {
    const buyer = await subscribe(page);
    await takesABreak(page);
    await page.route("**/api/subscriptions/*/cancel", (route) => route.abort(), { times: 1 });
    await button(page, "Cancel subscription").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Yes, cancel" }).click();
    await expect(main(page).getByRole("alert").filter({ hasText: "We do not see your change." })).toBeFocused();
    expect((await owned(page)).cancel_at).toBeNull();
    await expect(plan(page)).toContainText("Renews on");
    await expectAccessible(page);

    await button(page, "Use another card").click();
    await buyer.fillIn(cards.declined);
    await button(page, "Save this card").click();
    await expect(
      main(page).getByRole("alert").filter({ hasText: "Your bank did not accept this card." }),
    ).toBeFocused();
    await expect(main(page).getByText("•••• 4242")).toBeVisible();
    await expectAccessible(page);

    await buyer.fillIn(cards.another);
    await button(page, "Save this card").click();
    await expect(main(page).getByText("•••• 4444")).toBeVisible();
  });
});

test("a member without a subscription finds the plans, and comes by the profile", async ({ page, context }) => {
  const id = crypto.randomUUID();
  const member = { name: "Ada Quiet", email: `ada-${id}@example.org`, password: `calm-${id}` };
  expect((await context.request.post("/api/auth/register", { data: member })).status()).toBe(201);
  await page.goto("/en/profile/");
  const link = main(page).getByRole("link", { name: "See my subscription" });
  await alive(link);
  await link.click();
  await expect(page).toHaveURL(/\/en\/account\/$/);
  await expect(main(page).getByRole("heading", { name: "You have no subscription at the moment" })).toBeVisible();
  await expectAccessible(page);
  await main(page).getByRole("link", { name: "See the plans" }).click();
  await expect(page).toHaveURL(/\/en\/pricing\//);
});

test("a member in coaching finds the subscription by its name", async ({ page }) => {
  const buyer = new Buyer(page);
  await buyer.opens("/en/payment/coaching/");
  await buyer.fillIn(cards.good);
  await buyer.submit();
  await expect(page).toHaveURL(/\/en\/success\/coaching\/newuser\//);
  await page.goto("/en/account/");
  const coaching = main(page).getByRole("article", { name: "Stillpoint coaching" });
  await expect(coaching).toContainText("$79 every month");
  await expect(coaching).toContainText(/Renews on \w+ \d+, 20\d\d for \$79\./);
  await expectAccessible(page);
});

test("a member buys everything for good, directly, and finds the receipt and no plans", async ({ page }) => {
  const buyer = new Buyer(page);
  const asked = calls(page, /create-payment-intent|create-subscription-fixed/);
  await buyer.opens("/en/payment/lifetime/");
  await expect(main(page).getByText("Nothing renews.", { exact: false }).first()).toBeVisible();
  await expectAccessible(page);
  await buyer.fillIn(cards.good);
  await main(page).getByRole("button", { name: "Pay once" }).click();
  await buyer.arrives();
  expect(asked.map((request) => new URL(request.url()).pathname)).toEqual(["/api/create-payment-intent"]);
  await expect.poll(() => purchaseKinds(page), { timeout: 60_000 }).toEqual(["lifetime"]);
  await page.goto("/en/account/");
  const bought = main(page).getByRole("listitem").filter({ hasText: "Stillpoint Premium" });
  await expect(bought).toContainText("For good");
  await expect(bought).toContainText("$299");
  await expect(main(page).getByRole("link", { name: "See the plans" })).toHaveCount(0);
  await expectAccessible(page);
  await bought.getByRole("button", { name: /^Receipt of / }).click();
  const receipt = page.getByRole("dialog", { name: /^Receipt of / });
  await expect(receipt).toContainText("Stillpoint Premium");
  await expect(receipt).toContainText("$299 (USD)");
  await expect(receipt.getByText(/^pay_/)).toBeVisible();
  await expectAccessible(page);
});
