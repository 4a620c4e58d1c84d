import type { Page } from "@playwright/test";
import { Buyer, cards, pressIn } from "../support/buyer.ts";
import { watchShifts } from "../support/gallery.ts";
import { subscriptionsOf } from "../support/outside.ts";
import { all, desktop, smoke } from "../support/passes.ts";
import { expect, expectAccessible, fastForwardUntil, test } from "../support/stillpoint.ts";

/** The ways to pay beside the card: what the buyer sees of them, and what the services hear. */

/** What the browser itself says of a call that the story cuts off. */
test.use({ expected: /net::ERR_FAILED/ });

const main = (page: Page) => page.getByRole("main");
const status = (page: Page, text: string) => main(page).getByRole("status").filter({ hasText: text });
const toggle = (page: Page) => main(page).getByRole("button", { name: "Continue with card" });
const cardNumber = (page: Page) => page.frameLocator('iframe[title*="card number" i]').getByRole("textbox");
const paypal = (page: Page) => main(page).getByRole("button", { name: "PayPal Subscribe" });

interface Call {
  path: string;
  body: Record<string, unknown>;
}

/** The requests of the page from now on, in order. */
function callsOf(page: Page): Call[] {
  const calls: Call[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    const isPayment = /^\/api\/(create-|subscriptions\/|paypal\/)|^\/specialprogram\/payment/.test(pathname);
    if (isPayment && request.method() === "POST") calls.push({ path: pathname, body: request.postDataJSON() });
  });
  return calls;
}

test.describe("a wallet", () => {
  test("pays in its own window, in one press", async ({ page }) => {
    const buyer = new Buyer(page);
    await buyer.owns("Apple Pay");
    await buyer.opens();
    await buyer.seesTotal("$12.99");
    await expect(toggle(page)).toHaveAttribute("aria-expanded", "false");
    await expect(page.locator('iframe[title*="card number" i]')).toHaveCount(0);
    expect((await main(page).getByRole("button", { name: "Apple Pay" }).boundingBox())?.height).toBe(50);
    await expectAccessible(page);

    const calls = callsOf(page);
    const wallet = await buyer.opensWallet("Apple Pay");
    await expect(wallet.getByText("$12.99")).toBeVisible();
    await expect(wallet.getByText("Stillpoint monthly")).toBeVisible();
    await wallet.getByRole("button", { name: "Pay" }).click();
    await buyer.arrives();
    expect(calls[0]).toMatchObject({
      path: "/api/create-subscription-fixed",
      body: { payment_source: "apple_google_pay" },
    });
    expect(await subscriptionsOf(page.request)).toMatchObject([{ status: "active", price: 12.99 }]);
  });

  test("that is cancelled leaves the page unchanged, and whose card is declined says so; another one pays", async ({
    page,
  }) => {
    const buyer = new Buyer(page);
    await buyer.owns("Google Pay");
    await buyer.opens();
    const calls = callsOf(page);
    for (const leave of ["Cancel", "Escape"]) {
      const wallet = await buyer.opensWallet("Google Pay");
      await expect(wallet.getByRole("button", { name: "Pay" })).toBeVisible();
      if (leave === "Cancel") await wallet.getByRole("button", { name: leave }).click();
      else await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(status(page, "window that has opened")).toHaveCount(0);
      await expect(main(page).getByRole("button", { name: "Google Pay" })).toBeFocused();
    }
    expect(calls).toEqual([]);
    await expect(main(page).getByRole("alert")).toHaveCount(0);

    const first = await buyer.opensWallet("Google Pay");
    await first.getByLabel("Card").selectOption({ label: "Visa •••• 0002, which is declined" });
    await first.getByRole("button", { name: "Pay" }).click();
    await expect(main(page).getByRole("alert")).toContainText("Your card was declined");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expectAccessible(page);

    const second = await buyer.opensWallet("Google Pay");
    await second.getByRole("button", { name: "Pay" }).click();
    await buyer.arrives();
  });

  test("whose bank asks is closed before the bank's question", async ({ page }) => {
    const buyer = new Buyer(page);
    await buyer.owns("Apple Pay");
    await buyer.opens();
    const wallet = await buyer.opensWallet("Apple Pay");
    await wallet.getByLabel("Card").selectOption({ label: "Visa •••• 3184, whose bank asks" });
    await wallet.getByRole("button", { name: "Pay" }).click();
    await buyer.answersTheBank("Complete authentication");
    await buyer.arrives();
  });
});

test.describe("PayPal", () => {
  test(
    "subscribes in its window, then is linked and described, in that order",
    all(smoke, desktop("the other methods beside each other")),
    async ({ page }) => {
      const buyer = new Buyer(page);
      await page.goto("/en/?utm_source=letter");
      await expect.poll(() => page.evaluate(() => document.cookie)).toContain("letter");
      await buyer.opens();
      await buyer.seesTotal("$12.99");
      const calls = callsOf(page);
      const opened = await buyer.opensPaypal();
      await expect(opened.getByText(/12\.99 USD each 1 MONTH/i)).toBeVisible();
      await pressIn(opened, "Agree and subscribe");
      await buyer.arrives();

      const member = await page.evaluate(async () => (await (await fetch("/api/auth/session")).json()).user.user_id);
      const [linked, described] = calls;
      expect(linked).toMatchObject({ path: "/api/paypal/customers/subscription", body: { user_id: member } });
      expect(linked?.body.subscription_id).toMatch(/^I-/);
      expect(described).toMatchObject({
        path: "/api/subscriptions/meta-data",
        body: { payment_provider_id: "paypal", utm_source: "letter" },
      });
      const [subscription, ...others] = await subscriptionsOf(page.request);
      expect(others).toEqual([]);
      expect(subscription).toMatchObject({ status: "active", provider: "paypal", price: 12.99 });
    },
  );

  test("that is left or fails leaves what is typed, and can be tried again", async ({ page }) => {
    const buyer = new Buyer(page);
    await buyer.opens();
    await buyer.fillIn(cards.good);
    const calls = callsOf(page);

    await pressIn(await buyer.opensPaypal(), "Cancel and return");
    await expect(status(page, "window that has opened")).toHaveCount(0);
    await expect(main(page).getByRole("alert")).toHaveCount(0);
    await expect(cardNumber(page)).toHaveValue(cards.good);

    await (await buyer.opensPaypal()).close();
    await expect(status(page, "window that has opened")).toHaveCount(0);

    await pressIn(await buyer.opensPaypal(), "Let PayPal fail");
    await expect(main(page).getByRole("alert")).toContainText("PayPal could not go on. Nothing has been charged.");
    await expect(cardNumber(page)).toHaveValue(cards.good);
    await expectAccessible(page);
    expect(calls).toEqual([]);

    await buyer.submit();
    await buyer.arrives();
  });

  test("pressed twice opens one window and subscribes once", async ({ page }) => {
    const buyer = new Buyer(page);
    await buyer.opens();
    await expect(paypal(page)).toBeVisible();
    const popups: Page[] = [];
    page.on("popup", (popup) => popups.push(popup));
    await paypal(page).dblclick();
    await expect.poll(() => popups.length).toBe(1);
    await expect(status(page, "window that has opened")).toBeVisible();
    await pressIn(popups[0] as Page, "Agree and subscribe");
    await buyer.arrives();
    expect(popups).toHaveLength(1);
    expect(await subscriptionsOf(page.request)).toHaveLength(1);
  });

  test("whose response is lost is polled, and is charged once", async ({ page }) => {
    test.slow();
    const buyer = new Buyer(page);
    await page.clock.install();
    await buyer.opens();
    await page.route("/api/paypal/customers/subscription", (route) => route.abort());
    await pressIn(await buyer.opensPaypal(), "Agree and subscribe");
    const checking = main(page).getByText("Checking with PayPal");
    await fastForwardUntil(page, () => expect(checking).toBeVisible({ timeout: 500 }));
    await expect(paypal(page)).toHaveCount(0);
    await expectAccessible(page);

    await page.unroute("/api/paypal/customers/subscription");
    await fastForwardUntil(page, () => expect(page).toHaveURL(/\/en\/success-page\//, { timeout: 1_000 }));
    expect(await subscriptionsOf(page.request)).toHaveLength(1);
  });

  test("whose response is lost is polled after a reload, and settles by itself", async ({ page }) => {
    test.slow();
    const buyer = new Buyer(page);
    await page.clock.install();
    await buyer.opens();
    await page.route("/api/paypal/customers/subscription", (route) => route.abort());
    await pressIn(await buyer.opensPaypal(), "Agree and subscribe");
    await expect(status(page, "PayPal has your agreement")).toBeVisible();
    await page.reload();
    await expect(main(page).getByText("Checking with PayPal")).toBeVisible();
    await expect(paypal(page)).toHaveCount(0);
    await expect(toggle(page)).toHaveCount(0);
    await expect(main(page).getByRole("region", { name: "Order summary" })).toContainText("$12.99");
    await expectAccessible(page);

    await page.unroute("/api/paypal/customers/subscription");
    await fastForwardUntil(page, () => expect(page).toHaveURL(/\/en\/success-page\//, { timeout: 1_000 }));
    expect(await subscriptionsOf(page.request)).toHaveLength(1);
    // What is answered is not waited for again.
    await page.goto("/en/payment/monthly/");
    await expect(paypal(page).or(main(page).getByRole("alert")).first()).toBeVisible();
    await expect(main(page).getByText("Checking with PayPal")).toHaveCount(0);
  });

  test("settles an approval after the page was closed", async ({ page, context }) => {
    const buyer = new Buyer(page);
    await buyer.opens();
    await page.route("/api/paypal/customers/subscription", (route) => route.abort());
    await pressIn(await buyer.opensPaypal(), "Agree and subscribe");
    await expect(status(page, "PayPal has your agreement")).toBeVisible();
    await page.close();

    const later = await context.newPage();
    await expect
      .poll(async () => (await subscriptionsOf(later.request)).map(({ status }) => status), { timeout: 60_000 })
      .toEqual(["active"]);
    await later.goto("/en/account/");
    const plan = main(later).getByRole("article", { name: "Stillpoint Premium" });
    await expect(plan).toContainText("$12.99");
    expect(await subscriptionsOf(later.request)).toMatchObject([{ provider: "paypal" }]);
  });
});

test.describe("the card", () => {
  test("waits behind the others until it is asked for, and keeps what is typed when it is put away", async ({
    page,
  }) => {
    const buyer = new Buyer(page);
    await buyer.opens();
    await expect(main(page).getByText("or pay by card")).toBeVisible();
    await toggle(page).focus();
    await page.keyboard.press("Enter");
    await expect(toggle(page)).toHaveAttribute("aria-expanded", "true");
    await expect(cardNumber(page)).toBeFocused();
    await buyer.fillIn(cards.good);
    await expectAccessible(page);
    await toggle(page).click();
    await expect(cardNumber(page)).toBeHidden();
    await toggle(page).click();
    await expect(cardNumber(page)).toHaveValue(cards.good);
    await expect(cardNumber(page)).toBeFocused();
  });

  test("opens by itself where nothing else is to be had", async ({ page }) => {
    await page.route(/\/paypal\/sdk\/js/, (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
    const buyer = new Buyer(page);
    await buyer.opens();
    await expect(cardNumber(page)).toBeVisible();
    await expect(toggle(page)).toHaveCount(0);
    await expect(main(page).getByText("or pay by card")).toHaveCount(0);
  });

  test("of two networks is charged by the one that is chosen; others have no choice", async ({ page }) => {
    const buyer = new Buyer(page);
    await buyer.opens();
    await buyer.fillIn(cards.ofTwoNetworks);
    const network = main(page).locator('select[name="cardNetwork"]');
    await expect(network).toBeHidden();
    await expect(network).toHaveValue("cartes_bancaires");
    expect(
      await network.locator("option").evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value)),
    ).toEqual(["", "amex", "cartes_bancaires", "unionpay", "diners", "discover", "jcb", "mastercard", "visa"]);
    await buyer.fillIn(cards.good);
    await expect(network).toHaveValue("");
  });
});

for (const wallet of ["Apple Pay", null] as const) {
  const title = `nothing moves while the ways to pay are found, ${wallet ? "with" : "without"} a wallet`;
  test(title, async ({ page }) => {
    const buyer = new Buyer(page);
    if (wallet) await buyer.owns(wallet);
    await page.addInitScript(watchShifts);
    await buyer.opens();
    await expect(paypal(page)).toBeVisible();
    if (wallet) await expect(main(page).getByRole("button", { name: wallet })).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(() => window.shifts)).toEqual([]);
  });
}
