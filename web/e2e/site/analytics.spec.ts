import { readFileSync } from "node:fs";
import type { Page, Request } from "@playwright/test";
import { Buyer, cards } from "../support/buyer.ts";
import { smoke } from "../support/passes.ts";
import { alive, expect, expectAccessible, test } from "../support/stillpoint.ts";

const EVENTS = "/api/analytics/events";
const SPECIAL = "/api/analytics/special-program-events";

declare global {
  interface Window {
    dataLayer?: Record<string, unknown>[];
  }
}

interface WebEvent {
  name: string;
  fields: Record<string, string>;
}

/** Everything the page reports from now on. */
function reportsOf(page: Page) {
  const reports: { path: string; body: string }[] = [];
  page.on("request", (request: Request) => {
    const { pathname } = new URL(request.url());
    if (pathname === EVENTS || pathname === SPECIAL) reports.push({ path: pathname, body: request.postData() ?? "" });
  });
  const bodies = (path: string) => reports.filter((report) => report.path === path).map(({ body }) => JSON.parse(body));
  return {
    all: () => JSON.stringify(reports),
    special: () => bodies(SPECIAL),
    events: (): WebEvent[] => bodies(EVENTS).flatMap(({ events }) => events),
    named: (name: string): WebEvent[] =>
      bodies(EVENTS).flatMap(({ events }) => events.filter((it: WebEvent) => it.name === name)),
  };
}

interface Pushed {
  event: string;
  [field: string]: unknown;
}

const pushed = (page: Page, name: string): Promise<Pushed[]> =>
  page.evaluate((event) => (window.dataLayer ?? []).filter((it) => it.event === event) as Pushed[], name);

const bar = (page: Page) => page.getByRole("region", { name: "May we recognise you?" });

test("the buying journey puts into the cart and purchases, with the product's fields", smoke, async ({ page }) => {
  const reports = reportsOf(page);
  const buyer = new Buyer(page);
  await buyer.choose("Monthly");
  await buyer.seesTotal("$12.99");
  const product = {
    productId: "monthly",
    productName: "Stillpoint monthly",
    productCategory: "subscription",
    packageValidityPeriod: "1 month",
    autoRenew: true,
    transactionType: "subscription",
    campaign: "web-monthly",
    price: 12.99,
    currency: "USD",
    is_logged_in: true,
  };
  expect(await pushed(page, "signup")).toHaveLength(1);
  expect(await pushed(page, "add_to_cart")).toEqual([expect.objectContaining(product)]);
  expect(await pushed(page, "purchase")).toEqual([]);

  await buyer.fillIn(cards.good);
  await buyer.submit();
  await buyer.arrives();
  expect(await pushed(page, "purchase")).toEqual([expect.objectContaining(product)]);
  await expect.poll(() => reports.named("purchase")).toHaveLength(1);
  expect(reports.named("add_to_cart")).toHaveLength(1);
  expect(reports.all()).not.toContain(buyer.email);
});

test.describe("where people must be asked", () => {
  test.use({ locale: "de-DE" });

  test("without consent no user is identified, and the banner stays closed", async ({ page }) => {
    const reports = reportsOf(page);
    await page.goto("/en/");
    await expect(bar(page)).toBeVisible();
    await expectAccessible(page);
    await bar(page).getByRole("button", { name: "No, thanks" }).click();
    await expect(bar(page)).toBeHidden();

    const buyer = new Buyer(page);
    await buyer.opens();
    await buyer.seesTotal("$12.99");
    await page.goto("/en/pricing/");
    await expect.poll(() => reports.special().at(-1)?.fullPath).toBe("/en/pricing/");
    await expect(bar(page)).toBeHidden();
    expect(reports.named("user")).toEqual([]);
    expect(reports.special().every(({ userid }) => userid === "")).toBe(true);

    await page.getByRole("contentinfo").getByRole("button", { name: "Privacy choices" }).click();
    await expect(bar(page)).toBeVisible();
    expect(reports.all()).not.toContain(buyer.email);
  });

  test("with consent the user is identified by hashes alone, and never on a survey page", async ({ page }) => {
    const reports = reportsOf(page);
    await page.goto("/en/");
    await bar(page).getByRole("button", { name: "Agree" }).click();
    const buyer = new Buyer(page);
    await buyer.opens();
    await expect.poll(() => reports.named("user")).toHaveLength(1);
    const { id, name, last_name, email } = reports.named("user")[0]?.fields ?? {};
    for (const hash of [id, name, last_name, email]) expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const expected = await page.evaluate(async (text) => {
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
      return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
    }, buyer.email.toLowerCase());
    expect(email).toBe(expected);

    await page.goto("/en/survey/start/");
    await expect.poll(() => reports.special().at(-1)?.fullPath).toBe("/en/survey/start/");
    expect(reports.special().at(-1)).toMatchObject({ userid: "", orderid: "" });
    expect(reports.named("user")).toHaveLength(1);
    expect(reports.all()).not.toContain(buyer.email);
    expect(reports.all()).not.toContain(buyer.name);
  });

  test("a choice can be made with the keyboard, and holds for the next page", async ({ page }) => {
    await page.goto("/en/");
    await expect(bar(page)).toBeVisible();
    const yes = bar(page).getByRole("button", { name: "Agree" });
    await alive(yes);
    await yes.focus();
    await page.keyboard.press("Enter");
    await expect(bar(page)).toBeHidden();

    expect(await page.evaluate(() => localStorage.getItem("consent"))).toMatch(/^accepted \d+$/);
    await page.reload();
    await expect(page.getByRole("contentinfo")).toBeVisible();
    await expect(bar(page)).toBeHidden();

    // The script of `TR_ANALYTICS_SCRIPT_URL` runs on Turkish pages only.
    const isScriptLoaded = () => page.evaluate(() => "sandboxAnalytics" in window);
    expect(await isScriptLoaded()).toBe(false);
    await page.goto("/tr/");
    await expect.poll(isScriptLoaded).toBe(true);
  });
});

test("every event of a session is in the list for analysts", async ({ page }) => {
  const reports = reportsOf(page);
  await page.goto("/en/business/");
  const book = page.getByRole("main").getByRole("link", { name: /demo/i }).first();
  await alive(book);
  await book.click();
  await expect(page).toHaveURL(/business-bookademo/);
  await expect.poll(() => reports.named("b2b_bookademo")).toHaveLength(1);
  expect(reports.named("b2b_bookademo_click")).toHaveLength(1);
  expect(reports.named("b2b_bookademo")[0]?.fields.language).toBe("en");

  const list = readFileSync(new URL("../../../services/analytics/WEB_EVENTS.md", import.meta.url), "utf8");
  for (const { name } of reports.events()) expect(list, name).toContain(`| \`${name}\``);
});
