import type { BrowserContext, Page } from "@playwright/test";
import { Buyer, cards, pressIn } from "../support/buyer.ts";
import { forms, Visit } from "../support/forms.ts";
import { join, statusOf } from "../support/member.ts";
import { subscriptionsOf } from "../support/outside.ts";
import { expect, expectAccessible, sandboxUrl, test } from "../support/stillpoint.ts";
import { ageNextOffer, chargesOf, hold, listen } from "../support/wire.ts";

/** Failures and retries of payments without a typed card: wallet, PayPal, saved card, YooKassa and Platron. */

test.use({ expected: /status of 4\d\d|ERR_FAILED/ });

const MONTHLY = "/en/payment/monthly/";
const main = (page: Page) => page.getByRole("main");
const refusal = (page: Page) => main(page).getByRole("alert");
const progress = (page: Page, text: string | RegExp) => main(page).getByRole("status").filter({ hasText: text });

async function comesFromRussia(context: BrowserContext) {
  await context.addInitScript(() => localStorage.setItem("country", "RU"));
  await join(context);
}

test("a wallet goes wrong in every way, and pays once in the end", async ({ page, context }) => {
  test.slow();
  await join(context);
  const buyer = new Buyer(page);
  const asked = listen(page);
  const orders = () => asked.to("/api/create-subscription-fixed").length;
  const isUp = (name: string | RegExp) => expect(main(page).getByRole("button", { name })).toBeVisible();
  const paysWith = async (card?: string) => {
    const wallet = await buyer.opensWallet("Google Pay");
    if (card) await wallet.getByLabel("Card").selectOption({ label: card });
    return wallet.getByRole("button", { name: "Pay" });
  };
  await buyer.owns("Google Pay");

  await test.step("with a quote that is over", async () => {
    await ageNextOffer(page);
    await page.goto(MONTHLY);
    const answer = page.waitForResponse("**/api/create-subscription-fixed");
    await (await paysWith()).click();
    expect(await (await answer).json()).toMatchObject({ code: "QUOTE_EXPIRED" });
    await expect(refusal(page)).toContainText("The price you saw is no longer held");
    await isUp("Google Pay");
    await expectAccessible(page);
  });

  await test.step("while the provider does not respond", async () => {
    const before = orders();
    await page.route("**/stripe/v1/**", (route) => route.abort());
    await (await paysWith()).click();
    const wallet = page.getByRole("dialog", { name: "Google Pay" }).locator("iframe").contentFrame();
    await expect(wallet.getByText("That did not work")).toBeVisible();
    await page.unroute("**/stripe/v1/**");
    await wallet.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(orders()).toBe(before);
  });

  await test.step("with a bank that is refused the proof", async () => {
    await (await paysWith("Visa •••• 3184, whose bank asks")).click();
    await buyer.answersTheBank("Fail authentication");
    await expect(refusal(page)).toContainText(/authenticat/);
    await expectAccessible(page);
  });

  await test.step("pressed twice while our server is slow", async () => {
    const slow = await hold(page, /create-subscription-fixed$/);
    await (await paysWith()).dblclick();
    await expect(progress(page, "Sending your order")).toBeVisible();
    slow.release();
    await buyer.arrives();
    expect(slow.held).toHaveLength(1);
  });
  expect((await statusOf(context)).filter((status) => status !== "incomplete")).toEqual(["active"]);
});

test("a wallet and a card in two tabs pay once", async ({ page, context }) => {
  const { email } = await join(context);
  const buyer = new Buyer(page);
  await buyer.owns("Apple Pay");
  await page.goto(MONTHLY);
  const other = new Visit(await context.newPage(), forms[0] as (typeof forms)[0]);
  await other.comes();
  const wallet = await buyer.opensWallet("Apple Pay");
  await wallet.getByLabel("Card").selectOption({ label: "Visa •••• 3184, whose bank asks" });
  await wallet.getByRole("button", { name: "Pay" }).click();
  await expect(page.getByRole("dialog", { name: "3D Secure authentication" })).toBeVisible();
  await other.pays(cards.good);
  await other.arrives();
  await buyer.answersTheBank("Complete authentication");
  await buyer.arrives();
  expect(await chargesOf(context, email)).toBe(1);
  expect((await statusOf(context)).filter((status) => status !== "incomplete")).toEqual(["active"]);
});

test.describe("PayPal", () => {
  test("goes wrong in every way, and subscribes once in the end", async ({ page, context }) => {
    await join(context);
    const buyer = new Buyer(page);
    await page.goto(MONTHLY);
    const button = main(page).getByRole("button", { name: "PayPal Subscribe" });

    await test.step("while PayPal does not respond", async () => {
      await page.route("**/paypal/v1/**", (route) => route.abort());
      await button.click();
      await expect(refusal(page)).toContainText("PayPal could not go on. Nothing has been charged.");
      await expectAccessible(page);
      await page.unroute("**/paypal/v1/**");
    });

    await test.step("agreed to by a buyer without money", async () => {
      const opened = await buyer.opensPaypal();
      await opened.getByLabel("Pay as").selectOption("empty");
      // What was said before is gone.
      await expect(refusal(page)).toHaveCount(0);
      await pressIn(opened, "Agree and subscribe");
      await expect(refusal(page)).toContainText("PayPal could not go on. Nothing has been charged.");
      await expectAccessible(page);
    });

    await test.step("while our server is slow", async () => {
      const slow = await hold(page, /\/api\/paypal\/customers\/subscription$/);
      await pressIn(await buyer.opensPaypal(), "Agree and subscribe");
      await expect(progress(page, "PayPal has your agreement")).toBeVisible();
      await expectAccessible(page);
      slow.release();
      await buyer.arrives();
    });
    const bought = (await subscriptionsOf(page.request)).filter(({ status }) => status !== "incomplete");
    expect(bought).toMatchObject([{ status: "active", provider: "paypal" }]);
  });

  test("agreed to in two tabs takes the money of one", async ({ page, context }) => {
    await join(context);
    const tabs = [page, await context.newPage()];
    const agreed: string[] = [];
    const windows = [];
    for (const tab of tabs) {
      tab.on("request", (request) => {
        if (request.url().endsWith("/api/paypal/customers/subscription")) {
          agreed.push((request.postDataJSON() as { subscription_id: string }).subscription_id);
        }
      });
      await tab.goto(MONTHLY);
      windows.push(await new Buyer(tab).opensPaypal());
    }
    for (const window of windows) await pressIn(window, "Agree and subscribe");
    await expect(page).toHaveURL(/\/en\/success-page\//);
    await expect
      .poll(async () => {
        const said = await refusal(tabs[1] as Page).count();
        return said > 0 || /success-page/.test((tabs[1] as Page).url());
      })
      .toBe(true);
    await expect.poll(() => statusOf(context)).toEqual(["active"]);
    expect(new Set(agreed).size).toBe(2);
    const statuses = () => Promise.all([...new Set(agreed)].map((id) => atPaypal(page, id)));
    await expect.poll(async () => (await statuses()).sort(), { timeout: 60_000 }).toEqual(["ACTIVE", "CANCELLED"]);
  });
});

/** The status of a subscription at PayPal. */
async function atPaypal(page: Page, id: string): Promise<string> {
  const client = Buffer.from("paypal-client-stillpoint:paypal-secret-stillpoint").toString("base64");
  const signedIn = await page.request.post(`${sandboxUrl}/paypal/v1/oauth2/token`, {
    headers: { authorization: `Basic ${client}` },
    form: { grant_type: "client_credentials" },
  });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const answer = await page.request.get(`${sandboxUrl}/paypal/v1/billing/subscriptions/${id}`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  return ((await answer.json()) as { status: string }).status;
}

test("a saved card whose bank asks: denied, left midway, opened twice, and paid once", async ({ page, context }) => {
  test.slow();
  const form = forms.find(({ name }) => name.endsWith("soul")) as (typeof forms)[0];
  const { email } = await join(context);
  const first = new Visit(page, form);
  await first.comes();
  await first.pays(cards.alwaysAsks);
  await first.answersTheBank("Complete authentication");
  await first.arrives();

  const savedCard = (tab: Page) => main(tab).getByRole("paragraph").filter({ hasText: "•••• 3184" });
  await test.step("pressed twice while our server is slow, then left midway", async () => {
    await first.comes();
    await expect(savedCard(page)).toBeVisible();
    const slow = await hold(page, /\/api\/addition\/confirm$/);
    await first.button.dblclick();
    await expect(progress(page, "Sending your order")).toBeVisible();
    await expectAccessible(page);
    expect(slow.held).toHaveLength(1);
    slow.release();
    await expect(first.bank).toBeVisible();
  });

  const again = new Visit(await context.newPage(), form);
  const other = new Visit(await context.newPage(), form);
  await page.close();
  for (const tab of [again, other]) {
    await tab.comes();
    await expect(savedCard(tab.page)).toBeVisible();
    await tab.button.click();
    await expect(tab.bank).toBeVisible();
  }
  await other.answersTheBank("Complete authentication");
  await other.arrives();
  await again.answersTheBank("Complete authentication");
  await again.arrives();
  expect(await chargesOf(context, email)).toBe(2);

  await test.step("denied, it makes room for another", async () => {
    const last = new Visit(await context.newPage(), form);
    await last.comes();
    await last.button.click();
    await last.answersTheBank("Fail authentication");
    await expect(last.refusal).toContainText(/authenticat/);
    await expectAccessible(last.page);
    await last.pays(cards.good);
    await last.arrives();
    expect(await chargesOf(context, email)).toBe(3);
  });
});

test.describe("YooKassa", () => {
  const open = (page: Page) => main(page).getByRole("button", { name: "Pay on this page" });
  const form = (page: Page) => page.frameLocator('iframe[title="YooKassa payment form"]');
  const pay = (page: Page) => form(page).getByRole("button", { name: "Pay", exact: true });

  test("goes wrong in every way, and is paid once in the end", async ({ page, context }) => {
    await comesFromRussia(context);

    await test.step("without its script", async () => {
      await page.route(/checkout-widget\.js/, (route) => route.abort());
      await page.goto(MONTHLY);
      await open(page).click();
      await expect(main(page).getByText("The secure card form did not load")).toBeVisible();
      await expectAccessible(page);
      await page.unroute(/checkout-widget\.js/);
      await main(page).getByRole("button", { name: "Try again" }).click();
      await expect(pay(page)).toBeVisible();
    });

    await test.step("with a bank that is refused the proof", async () => {
      await form(page).getByLabel("Card number").fill("5555 5555 5555 4477");
      await pay(page).click();
      await form(page).getByRole("button", { name: "No, deny" }).click();
      await expect(form(page).getByRole("status")).toContainText("refused");
    });

    await test.step("left midway, and opened twice", async () => {
      const [again, other] = [await context.newPage(), await context.newPage()];
      await page.close();
      for (const tab of [again, other]) {
        await tab.goto(MONTHLY);
        await open(tab).click();
        await expect(pay(tab)).toBeVisible();
      }
      await pay(other).dblclick();
      await expect(other).toHaveURL(/\/en\/success-page\//);
      await pay(again).click();
      await expect.poll(() => statusOf(context)).toEqual(["active"]);
    });
  });
});

test.describe("Platron", () => {
  const leave = (page: Page) => main(page).getByRole("link", { name: "Continue to payment" });
  const pay = (page: Page) => page.getByRole("button", { name: "Pay", exact: true });
  const payment = (page: Page) => new URL(page.url()).searchParams.get("customer");

  test("left midway, pressed twice and opened twice is one payment", async ({ page, context }) => {
    await comesFromRussia(context);
    await page.goto(MONTHLY);
    await leave(page).dblclick();
    await expect(pay(page)).toBeVisible();
    const left = payment(page);
    const [again, other] = [await context.newPage(), await context.newPage()];
    await page.close();
    for (const tab of [again, other]) {
      await tab.goto(MONTHLY);
      await leave(tab).click();
      await expect(pay(tab)).toBeVisible();
      expect(payment(tab)).toBe(left);
    }
    await pay(other).click();
    await expect(other).toHaveURL(/\/en\/payment-return\/\?.*pg_captured=1/);
    await pay(again).click();
    await expect(again.getByRole("status")).toContainText("did not work");
    await expect.poll(() => statusOf(context)).toEqual(["active"]);
  });

  test("takes nothing after YooKassa's form in another tab has", async ({ page, context }) => {
    await comesFromRussia(context);
    await page.goto(MONTHLY);
    await leave(page).click();
    await expect(pay(page)).toBeVisible();
    const other = await context.newPage();
    await other.goto(MONTHLY);
    await main(other).getByRole("button", { name: "Pay on this page" }).click();
    const form = other.frameLocator('iframe[title="YooKassa payment form"]');
    await form.getByRole("button", { name: "Pay", exact: true }).click();
    await expect(other).toHaveURL(/\/en\/success-page\//);
    await expect.poll(() => statusOf(context)).toEqual(["active"]);
    await pay(page).click();
    await expect(page).toHaveURL(/\/en\/payment-return\/\?.*pg_failure_code=\d+/);
    await expect(main(page).getByRole("heading", { level: 1 })).toHaveText("The payment did not go through");
    await expectAccessible(page);
    expect(await statusOf(context)).toEqual(["active"]);
  });
});
