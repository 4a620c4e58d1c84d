import type { BrowserContext, Page, Request } from "@playwright/test";
import { Buyer, cards } from "./buyer.ts";
import { subscriptionsOf } from "./outside.ts";
import { alive, expect, expectAccessible, footer, test } from "./stillpoint.ts";

/** Paying where no card of ours is taken, before a plan begins, and coming back from a provider's page. */

const RETRY = "Пожалуйста, попробуйте еще раз";

const main = (page: Page) => page.getByRole("main");
const summary = (page: Page) => main(page).getByRole("region", { name: "Order summary" });
const heading = (page: Page, name: string | RegExp) => main(page).getByRole("heading", { level: 1, name });

interface Member {
  name: string;
  email: string;
  password: string;
}

/** Makes an account and signs this browser in, without any page. */
async function join(context: BrowserContext): Promise<Member> {
  const id = crypto.randomUUID();
  const member = { name: "Ada Quiet", email: `ada-${id}@example.org`, password: `calm-${id}` };
  const answer = await context.request.post("/api/auth/register", { data: member });
  expect(answer.status()).toBe(201);
  return member;
}

/** As this browser remembers it. */
async function comesFrom(context: BrowserContext, country: string) {
  await context.addInitScript((code) => localStorage.setItem("country", code), country);
}

/** What is asked of the gateway, in order. */
function calls(page: Page, wanted: RegExp): Request[] {
  const seen: Request[] = [];
  page.on("request", (request) => {
    if (wanted.test(new URL(request.url()).pathname)) seen.push(request);
  });
  return seen;
}

const paths = (seen: Request[]) => seen.map((request) => new URL(request.url()).pathname);

async function statusOf(page: Page) {
  return (await subscriptionsOf(page.request)).map(({ status }) => status);
}

test.describe("somebody from Russia or Belarus", () => {
  for (const country of ["RU", "BY"]) {
    test(`sees no card form, pays at Platron and comes back to a plan that has begun (${country})`, async ({
      page,
      context,
    }) => {
      await comesFrom(context, country);
      await join(context);
      await page.goto("/en/payment/monthly/?survey=true");
      const leave = main(page).getByRole("link", { name: "Continue to payment" });
      await expect(leave).toBeVisible();
      await expect(page.locator('iframe[title*="card" i]')).toHaveCount(0);
      await expectAccessible(page);

      await leave.click();
      await page.getByRole("combobox", { name: "What happens" }).selectOption({ label: "It is paid" });
      const told = page.waitForRequest((request) => request.url().includes("/api/platron/transaction/success"));
      await page.getByRole("button", { name: "Pay", exact: true }).click();
      await expect(page).toHaveURL(/\/en\/payment-return\/\?.*pg_captured=1/);
      expect(new URL((await told).url()).search).toBe(new URL(page.url()).search);
      await expect(heading(page, /Your payment has arrived/)).toBeVisible();
      await expectAccessible(page);
      expect(await statusOf(page)).toEqual(["active"]);

      await page.reload();
      await expect(heading(page, /Your payment has arrived/)).toBeVisible();
      await main(page).getByRole("link", { name: "Continue" }).click();
      await expect(page).toHaveURL(/\/en\/success\/$/);
      await expect(main(page).getByRole("heading", { level: 1 })).toBeVisible();
      // Going back in the middle of it would cut the change of pages short.
      await page.waitForFunction(() => document.getAnimations().length === 0);
      await page.goBack();
      await expect(heading(page, /Your payment has arrived/)).toBeVisible();
      expect(await statusOf(page)).toEqual(["active"]);

      await page.goto("/en/payment/monthly/");
      await expect(main(page).getByRole("alert")).toContainText(
        "already have a subscription with another payment provider",
      );
      await expect(main(page).getByRole("link", { name: "Continue to payment" })).toHaveCount(0);
      await expectAccessible(page);
    });
  }

  test("who did not pay at Platron is told so, tries again, and then has", async ({ page, context }) => {
    await comesFrom(context, "RU");
    await join(context);
    await page.goto("/ru/payment/monthly/");
    await main(page).getByRole("link", { name: "Перейти к оплате" }).click();
    const told = page.waitForRequest((request) => request.url().includes("/api/platron/transaction/error"));
    await page.getByRole("combobox", { name: "What happens" }).selectOption({ index: 2 });
    await page.getByRole("button", { name: "Pay", exact: true }).click();

    await expect(page).toHaveURL(/\/ru\/payment-return\/\?.*pg_failure_code=\d+/);
    expect(new URL((await told).url()).search).toBe(new URL(page.url()).search);
    await expect(heading(page, "Платёж не прошёл")).toBeVisible();
    // The footer is all that is left beside it.
    await expect(main(page).locator("[data-kind]:visible")).toHaveCount(1);
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

  test("pays in YooKassa's form, after a card it does not take", async ({ page, context }) => {
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
  });

  test("who gives up in YooKassa's form is told so, and can begin again", async ({ page, context }) => {
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
    // Until our side has heard that the first form is over, the same one is offered, and closes by itself.
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

test.describe("a trial that costs something", () => {
  const intents = /create-trial-price-intent|create-subscription-fixed/;

  test("is paid directly, and says before what it costs when", async ({ page, context }) => {
    await join(context);
    const buyer = new Buyer(page);
    const asked = calls(page, intents);
    await page.goto("/en/payment/trial/");
    await expect(main(page).getByText("Today you pay $1", { exact: false })).toBeVisible();
    await expect(main(page).getByRole("region", { name: "Order summary" }).locator("dl").last()).toContainText("$1");
    await expectAccessible(page);
    await buyer.fillIn(cards.good);
    await main(page).getByRole("button", { name: "Pay and begin" }).click();
    await buyer.arrives();
    expect(paths(asked)).toEqual(["/api/create-trial-price-intent"]);
    await expect.poll(() => statusOf(page)).toEqual(["trialing"]);
  });

  test.describe("with a card that is declined", () => {
    test.use({ expected: /status of 402/ });

    test("waits for a bank that asks, and after a declined card takes another", async ({ page, context }) => {
      await join(context);
      const buyer = new Buyer(page);
      const asked = calls(page, intents);
      await page.goto("/en/payment/trial/");
      await buyer.fillIn(cards.declined);
      await main(page).getByRole("button", { name: "Pay and begin" }).click();
      await expect(main(page).getByRole("alert")).toContainText("Your card was declined");
      await expectAccessible(page);
      await buyer.fillIn(cards.asksForProof);
      await main(page).getByRole("button", { name: "Pay and begin" }).click();
      await buyer.answersTheBank("Complete authentication");
      await buyer.arrives();
      expect(paths(asked)).toEqual(["/api/create-trial-price-intent"]);
      await expect.poll(() => statusOf(page)).toEqual(["trialing"]);
    });
  });

  test("begins once, though its tab was closed and opened again", async ({ page, context }) => {
    await join(context);
    await page.goto("/en/payment/trial/");
    await expect(main(page).getByRole("button", { name: "Pay and begin" })).toBeVisible();
    await page.close();
    const again = await context.newPage();
    const other = await context.newPage();
    for (const tab of [again, other]) {
      await tab.goto("/en/payment/trial/");
      await expect(main(tab).getByRole("button", { name: "Pay and begin" })).toBeVisible();
    }
    const buyer = new Buyer(other);
    await buyer.fillIn(cards.good);
    await main(other).getByRole("button", { name: "Pay and begin" }).click();
    await buyer.arrives();
    // The other tab shows an intent that is paid by now: nobody pays twice.
    const late = new Buyer(again);
    await late.fillIn(cards.good);
    await main(again).getByRole("button", { name: "Pay and begin" }).click();
    await late.arrives();
    await expect.poll(() => statusOf(other)).toEqual(["trialing"]);
  });

  test.describe("that cannot be made ready", () => {
    test.use({ expected: /status of 500/ });

    test("leaves the form shut without a toast, and opens on another try", async ({ page, context }) => {
      await join(context);
      await page.route("/api/create-trial-price-intent", (route) => route.fulfill({ status: 500, body: "{}" }), {
        times: 1,
      });
      await page.goto("/en/payment/trial/");
      const pay = main(page).getByRole("button", { name: "Pay and begin" });
      await expect(pay).toHaveAttribute("aria-disabled", "true");
      await expect(page.getByRole("alert")).toHaveCount(0);
      await expectAccessible(page);
      await main(page).getByRole("button", { name: "Try again" }).click();
      await expect(pay).not.toHaveAttribute("aria-disabled", "true");
    });
  });
});

test("what is sold for good is paid directly, once", async ({ page, context }) => {
  await join(context);
  const buyer = new Buyer(page);
  const asked = calls(page, /create-payment-intent|create-subscription-fixed/);
  await page.goto("/en/payment/lifetime/");
  await expect(main(page).getByText("Nothing renews.", { exact: false }).first()).toBeVisible();
  await expectAccessible(page);
  await buyer.fillIn(cards.good);
  await main(page).getByRole("button", { name: "Pay once" }).click();
  await buyer.arrives();
  expect(paths(asked)).toEqual(["/api/create-payment-intent"]);
});

test.describe("coming back from a provider", () => {
  const returned = (query: string) => `/en/payment-return/${query}`;

  for (const query of ["?pg_captured=true", "?pg_captured=0", ""]) {
    test(`with "${query}" nothing is claimed, and nobody is asked`, async ({ page }) => {
      const asked = calls(page, /platron/);
      await page.goto(returned(query));
      await expect(heading(page, "We see no payment here")).toBeVisible();
      await expectAccessible(page);
      expect(asked).toHaveLength(0);
    });
  }

  test("with all that a provider may say, exactly that goes to our side", async ({ page }) => {
    const query =
      "?pg_captured=1&campaign=web-monthly&user_id=usr_1&orderId=svo_1&specialProgram=true&redirectPage=%2Fen%2Fcoach%2F&code=X&pg_payment_id=none";
    const asked = calls(page, /platron/);
    await page.goto(returned(query));
    await expect(heading(page, /Your payment has arrived/)).toBeVisible();
    await expect(page.locator(".success-tick")).toBeVisible();
    await expect.poll(() => asked.map((request) => new URL(request.url()))).toHaveLength(1);
    const [url] = asked.map((request) => new URL(request.url()));
    expect(`${url?.pathname}${url?.search}`).toBe(`/api/platron/transaction/success${query}`);
    await main(page).getByRole("link", { name: "Continue" }).click();
    await expect(page).toHaveURL(/\/en\/success-page-premium\/\?redirectPage=%2Fen%2Fcoach%2F$/);
  });

  test("without having paid, a visitor is offered no way that leads nowhere", async ({ page }) => {
    await page.goto(returned("?pg_failure_code=101&campaign=web-monthly"));
    await expect(heading(page, "The payment did not go through")).toBeVisible();
    await expect(main(page).getByRole("link")).toHaveCount(0);
    await expectAccessible(page);
  });

  for (const path of ["/en/almost-done/", "/en/success-page/"]) {
    test(`${path} thanks nobody who has not paid`, async ({ page }) => {
      await page.goto(`${path}?pg_failure_code=101`);
      await expect(heading(page, "The payment did not go through")).toBeVisible();
      await expect(main(page).locator("[data-kind]:visible")).toHaveCount(1);
      await expectAccessible(page);
      await page.goto(path);
      await expect(main(page).getByText("The payment did not go through")).toHaveCount(0);
    });
  }

  test("a payment the bank is silent about is asked after until it is answered", async ({ page, context }) => {
    await comesFrom(context, "RU");
    await join(context);
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
    await expect(heading(page, /Your payment has arrived/)).toBeVisible({ timeout: 30_000 });
  });
});

test("a card payment the bank is silent about settles by itself", async ({ page, context }) => {
  await join(context);
  const buyer = new Buyer(page);
  await page.goto("/en/payment/trial/");
  let silent = true;
  await page.route("/api/addition/confirm", (route) =>
    silent ? route.fulfill({ json: { status: false, data: { requiresAction: false } } }) : route.continue(),
  );
  await page.route("**/stripe/v1/payment_intents/*/confirm", async (route) => {
    const answer = await route.fetch();
    const intent = (await answer.json()) as { status: string };
    await route.fulfill({ response: answer, json: { ...intent, status: "processing" } });
  });
  await buyer.fillIn(cards.good);
  await main(page).getByRole("button", { name: "Pay and begin" }).click();
  await expect(main(page).getByRole("status").filter({ hasText: "Your bank is still thinking" })).toBeVisible();
  await expectAccessible(page);
  silent = false;
  await buyer.arrives();
});

test.describe("the order of a survey", () => {
  const ORDER = "mdOrderId";
  const told = (page: Page, name: string) =>
    page.evaluate(
      (event) => (window.dataLayer ?? []).filter((entry) => (entry as { event?: string }).event === event).length,
      name,
    );

  async function survey(page: Page): Promise<string> {
    const answer = await page.request.post("/api/survey/orders", { data: { flow: 0, variant: 15, lang: "en" } });
    expect(answer.ok()).toBe(true);
    return ((await answer.json()) as { orderid: string }).orderid;
  }

  test("is taken over on the payment page, once, and told of", async ({ page, context }) => {
    await join(context);
    const order = await survey(page);
    await page.goto("/en/");
    await page.evaluate(([key, value]) => localStorage.setItem(key as string, value as string), [ORDER, order]);
    const asked = calls(page, /specialprogram/);
    await page.goto("/en/payment/monthly/");
    await expect(summary(page)).toBeVisible();
    await expect.poll(() => told(page, "id-update")).toBe(1);
    expect(asked.map((request) => [new URL(request.url()).pathname, request.postDataJSON().orderid])).toEqual([
      ["/specialprogram/idupdate", order],
    ]);
  });

  test.describe("that is nobody's", () => {
    test.use({ expected: /status of 404/ });

    test("is told of as such", async ({ page, context }) => {
      await join(context);
      await page.goto("/en/");
      await page.evaluate((key) => localStorage.setItem(key, "svo_0199f0a46c1e7cc09f3a2b1d5f8a7c11"), ORDER);
      await page.goto("/en/payment/monthly/");
      await expect.poll(() => told(page, "id-update-error")).toBe(1);
      await expect(summary(page)).toBeVisible();
    });
  });

  for (const [path, customer] of [
    ["/en/almost-done/", "follow-up"],
    ["/en/success/coaching/newuser/", "follow-up"],
  ] as const) {
    test(`is told to be paid once by ${path}, and forgotten`, async ({ page, context }) => {
      const member = await join(context);
      const order = await survey(page);
      await page.goto("/en/");
      await page.evaluate(([key, value]) => localStorage.setItem(key as string, value as string), [ORDER, order]);
      const asked = calls(page, /specialprogram\/payment/);
      await page.goto(path);
      await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), ORDER)).toBeNull();
      await page.reload();
      await alive(footer(page).getByRole("button").first());
      expect(asked.map((request) => request.postDataJSON())).toEqual([
        { orderid: order, customerid: customer, status: 1, email: member.email },
      ]);
    });
  }
});

test.describe("a payment page with a token that is refused", () => {
  test("leads to where an account is made, by e-mail where the programme asks for it", async ({ page }) => {
    await page.goto("/en/payment/monthly/?token=made-up");
    await expect(page).toHaveURL(/\/en\/signup\/\?.*redirectPage=%2Fen%2Fpayment%2Fmonthly%2F/);
    await page.goto("/en/payment/monthly/?token=made-up&specialProgram=true");
    await expect(page).toHaveURL(/\/en\/email-signup\/\?.*redirectPage=%2Fen%2Fpayment%2Fmonthly%2F/);
  });
});
