import type { BrowserContext, Page } from "@playwright/test";
import { watchShifts } from "../support/gallery.ts";
import { join, statusOf } from "../support/member.ts";
import { all, desktop, smoke } from "../support/passes.ts";
import { changeIsOver } from "../support/steady.ts";
import { expect, expectAccessible, fastForwardUntil, footer, test } from "../support/stillpoint.ts";
import { calls } from "../support/wire.ts";

/** Paying where no card of ours is taken, and coming back from a provider's page. */

const RETRY = "Пожалуйста, попробуйте еще раз";

const main = (page: Page) => page.getByRole("main");
const summary = (page: Page) => main(page).getByRole("region", { name: "Order summary" });
const heading = (page: Page, name: string | RegExp) => main(page).getByRole("heading", { level: 1, name });

/** As this browser remembers it. */
async function comesFrom(context: BrowserContext, country: string) {
  await context.addInitScript((code) => localStorage.setItem("country", code), country);
}

test.describe("a member from Russia or Belarus", () => {
  test(
    "sees no card form, pays at Platron and comes back to a plan that has begun",
    all(smoke, desktop("the link to Platron in place of the form's column")),
    async ({ page, context }) => {
      await comesFrom(context, "RU");
      await join(context);
      await page.goto("/en/payment/monthly/?survey=true");
      const leave = main(page).getByRole("link", { name: "Continue to payment" });
      await expect(leave).toBeVisible();
      await expect(page.locator('iframe[title*="card" i]')).toHaveCount(0);
      await expectAccessible(page);

      await leave.click();
      await page.getByRole("combobox", { name: "What happens" }).selectOption({ label: "It is paid" });
      const reported = page.waitForRequest((request) => request.url().includes("/api/platron/transaction/success"));
      await page.getByRole("button", { name: "Pay", exact: true }).click();
      await expect(page).toHaveURL(/\/en\/payment-return\/\?.*pg_captured=1/);
      expect(new URL((await reported).url()).search).toBe(new URL(page.url()).search);
      await expect(heading(page, /Your payment has arrived/)).toBeVisible();
      await expectAccessible(page);
      expect(await statusOf(page)).toEqual(["active"]);

      await page.reload();
      await expect(heading(page, /Your payment has arrived/)).toBeVisible();
      await main(page).getByRole("link", { name: "Continue" }).click();
      await expect(page).toHaveURL(/\/en\/success\/$/);
      await expect(main(page).getByRole("heading", { level: 1 })).toBeVisible();
      // Going back in the middle of it would cut the change of pages short.
      await page.waitForFunction(changeIsOver);
      await page.goBack();
      await expect(heading(page, /Your payment has arrived/)).toBeVisible();
      expect(await statusOf(page)).toEqual(["active"]);

      await page.goto("/en/payment/monthly/");
      await expect(main(page).getByRole("alert")).toContainText(
        "already have a subscription with another payment provider",
      );
      await expect(main(page).getByRole("link", { name: "Continue to payment" })).toHaveCount(0);
      await expectAccessible(page);
    },
  );

  test("who did not pay at Platron gets a notice, tries again and pays", async ({ page, context }) => {
    await comesFrom(context, "RU");
    await join(context);
    await page.goto("/ru/payment/monthly/");
    await main(page).getByRole("link", { name: "Перейти к оплате" }).click();
    const reported = page.waitForRequest((request) => request.url().includes("/api/platron/transaction/error"));
    await page.getByRole("combobox", { name: "What happens" }).selectOption({ index: 2 });
    await page.getByRole("button", { name: "Pay", exact: true }).click();

    await expect(page).toHaveURL(/\/ru\/payment-return\/\?.*pg_failure_code=\d+/);
    expect(new URL((await reported).url()).search).toBe(new URL(page.url()).search);
    await expect(heading(page, "Платёж не прошёл")).toBeVisible();
    // The footer is all that is left beside it.
    await expect(main(page).locator("[data-kind]:visible")).toHaveCount(1);
    await expect(page.getByRole("banner")).toBeHidden();
    await expect(footer(page)).toBeVisible();
    await expectAccessible(page);
    expect(await statusOf(page)).toEqual([]);

    const retry = main(page).getByRole("link", { name: RETRY, exact: true });
    await expect(retry).toHaveAttribute("href", /\/platron\//);
    await retry.click();
    await page.getByRole("combobox", { name: "What happens" }).selectOption({ label: "It is paid" });
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await expect(page).toHaveURL(/\/ru\/payment-return\/\?.*pg_captured=1/);
    await expect(heading(page, "Платёж не прошёл")).toHaveCount(0);
    await expect.poll(() => statusOf(page)).toEqual(["active"]);
  });

  test(
    "pays in YooKassa's form, after a card it does not take, and sees that the plan renews",
    all(smoke, desktop("the provider's form in a column")),
    async ({ page, context }) => {
      await comesFrom(context, "RU");
      await join(context);
      await page.goto("/en/payment/monthly/");
      await main(page).getByRole("button", { name: "Pay on this page" }).click();
      const form = page.frameLocator('iframe[title="YooKassa payment form"]');
      await form.getByLabel("Card number").fill("5555 5555 5555 4600");
      await form.getByRole("button", { name: "Pay", exact: true }).click();
      await expect(form.getByRole("status")).toContainText("refused");
      await expectAccessible(page);

      await form.getByLabel("Card number").fill("5555 5555 5555 4477");
      await form.getByRole("button", { name: "Pay", exact: true }).click();
      await form.getByRole("button", { name: "Yes, confirm" }).click();
      await expect(page).toHaveURL(/\/en\/success-page\/$/);
      expect(await statusOf(page)).toEqual(["active"]);

      await page.goto("/en/account/");
      const plan = main(page).getByRole("article", { name: "Stillpoint Premium" });
      await expect(plan).toContainText(/Renews on \w+ \d+, 20\d\d for /);
      await expect(plan.getByRole("button", { name: "Cancel subscription" })).toBeVisible();
      await expect(plan.getByText("You pay for this subscription elsewhere")).toHaveCount(0);
      await expectAccessible(page);
    },
  );

  test("who leaves YooKassa's form gets a notice and can begin again", async ({ page, context }) => {
    await comesFrom(context, "RU");
    await join(context);
    await page.goto("/en/payment/monthly/");
    const open = main(page).getByRole("button", { name: "Pay on this page" });
    await open.click();
    const form = page.frameLocator('iframe[title="YooKassa payment form"]');
    await form.getByRole("button", { name: "Do not pay" }).click();
    await expect(main(page).getByRole("alert")).toContainText("did not go through");
    await expectAccessible(page);
    expect(await statusOf(page)).toEqual([]);
    // Until the server has seen that the first form expired, it returns the same form, which closes by itself.
    await expect(async () => {
      await open.click({ timeout: 1_000 });
      await expect(form.getByRole("button", { name: "Pay", exact: true })).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await form.getByRole("button", { name: "Pay", exact: true }).click();
    await expect(page).toHaveURL(/\/en\/success-page\/$/);
  });

  test("YooKassa's script is there for readers of Russian, and for others only on demand", async ({
    page,
    context,
  }) => {
    await join(context);
    const scripts = calls(page, /checkout-widget\.js$/);
    await page.goto("/en/payment/monthly/");
    await expect(summary(page)).toBeVisible();
    expect(scripts).toHaveLength(0);
    await page.goto("/ru/payment/monthly/");
    await expect.poll(() => scripts.length).toBe(1);
  });

  test("what is not sold with these cards is said not to be", async ({ page, context }) => {
    await comesFrom(context, "RU");
    await join(context);
    await page.goto("/en/payment/annual/");
    await expect(main(page).getByText("cannot be paid with cards from Russia or Belarus")).toBeVisible();
    await expect(page.locator('iframe[title*="card" i]')).toHaveCount(0);
    await expectAccessible(page);
  });
});

test.describe("coming back from a provider", () => {
  // Other pages have the same gate: see `almost-done-page.test.tsx` and `payment-return.test.tsx`.
  test("shows thanks only after the payment is confirmed, without a layout shift", async ({ page }) => {
    const [path, thanks] = ["/en/success-page/", "Welcome to Stillpoint"];
    await page.addInitScript(watchShifts);
    let scripts: () => void = () => undefined;
    const wanted = new Promise<void>((resolve) => {
      scripts = resolve;
    });
    await page.route(/\/assets\/.*\.js$/, (route) => wanted.then(() => route.continue()));
    await page.goto(`${path}?pg_failure_code=101`, { waitUntil: "commit" });
    // As the server sent it: nothing is alive yet.
    await expect(main(page).getByText("Looking at your payment")).toBeVisible();
    await expect(heading(page, thanks)).toBeHidden();
    await expect(main(page).locator("[data-kind]:visible")).toHaveCount(1);
    const outcome = main(page).locator("[data-outcome]");
    const sent = await outcome.elementHandle();
    // The site's own letters may come after the browser's.
    await page.evaluate(async () => {
      await document.fonts.ready;
      await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
      window.shifts = [];
    });
    scripts();
    await expect(heading(page, "We see no payment here")).toBeVisible();
    expect(await outcome.evaluate((now, before) => now === before, sent)).toBe(true);
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(() => window.shifts)).toEqual([]);

    // Until the provider confirms the capture, the page shows no thanks.
    let answer = "open";
    await page.route("**/api/platron/transaction/success?*", (route) =>
      route.fulfill({ json: { status: answer === "paid", data: { state: answer }, code: null, message: null } }),
    );
    await page.clock.install();
    await page.goto(`${path}?pg_captured=1&pg_payment_id=7`);
    await expect(heading(page, "Your bank is still thinking")).toBeVisible();
    await expect(heading(page, thanks)).toHaveCount(0);
    await expectAccessible(page);
    answer = "paid";
    await fastForwardUntil(page, () => expect(heading(page, thanks)).toBeVisible({ timeout: 1_000 }));
    await expect(outcome).toHaveCount(0);
  });

  test("a payment without a decision of the bank is polled until there is one", async ({ page, context }) => {
    await comesFrom(context, "RU");
    await join(context);
    await page.clock.install();
    await page.goto("/en/payment/monthly/");
    await main(page).getByRole("link", { name: "Continue to payment" }).click();
    let silent = true;
    await page.route("**/api/platron/transaction/success?*", (route) =>
      silent ? route.fulfill({ json: { status: false, data: { state: "open" } } }) : route.continue(),
    );
    await page.getByRole("combobox", { name: "What happens" }).selectOption({ label: "It is paid" });
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await expect(heading(page, "Your bank is still thinking")).toBeVisible();
    await expect(main(page).getByRole("status")).toContainText("You can safely leave this page");
    await expect(main(page).getByRole("link", { name: "Go to my subscription" })).toHaveAttribute(
      "href",
      "/en/account/",
    );
    await expectAccessible(page);
    silent = false;
    const arrived = heading(page, /Your payment has arrived/);
    await fastForwardUntil(page, () => expect(arrived).toBeVisible({ timeout: 1_000 }));
  });
});
