import type { Page, Route } from "@playwright/test";
import { Buyer, cards } from "./buyer.ts";
import { alive, baseUrl, expect, expectAccessible, sandboxUrl, test } from "./stillpoint.ts";

/** What is paid once: by anybody, and by members beside what they have. */

/** The browser's own lines about a card that was declined, and a script that a test withholds. */
test.use({ expected: /status of 402|net::ERR_FAILED/ });

const main = (page: Page) => page.getByRole("main");
const payButton = (page: Page) => main(page).getByRole("button", { name: /^Pay \$/ });
const total = (page: Page) => main(page).getByRole("region", { name: "Order summary" }).locator("dl").last();
const keptCard = (page: Page) => main(page).getByRole("paragraph").filter({ hasText: "•••• 4242" });

const LIVE = "/en/payment/live-program/";
const THERAPY = "/en/payment/therapy-session/";
const COACHING = "/en/payment/coaching-session/";

/** Somebody without an account on the page of the live programme. */
class Guest extends Buyer {
  async comes(path = LIVE) {
    await this.page.goto(path);
    await alive(main(this.page).getByLabel(/^(Your name|Ad)$/));
  }

  async says(name = this.name, email = this.email) {
    await main(this.page).getByLabel("Your name").fill(name);
    await main(this.page).getByLabel("E-mail address").fill(email);
  }

  async pays(card: string) {
    await this.says();
    await this.fillIn(card);
    await payButton(this.page).click();
  }

  async hasAPlace() {
    await expect(this.page).toHaveURL(/\/en\/success\/live-program\/$/);
    await expect(this.page.getByRole("heading", { level: 1, name: "Your place is kept" })).toBeVisible();
  }
}

/** Somebody with an account on a page of what is sold beside a subscription. */
async function member(page: Page, path: string) {
  const buyer = new Buyer(page);
  const answer = await page.request.post("/api/auth/register", {
    data: { name: buyer.name, email: buyer.email, password: buyer.password, lang: "en" },
    headers: { origin: baseUrl },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  await page.goto(path);
  await expect(payButton(page)).toBeVisible();
  return buyer;
}

async function agrees(page: Page) {
  for (const box of await main(page).getByRole("checkbox").all()) await box.check();
}

interface Asked {
  path: string;
  body: Record<string, string>;
  key: string | undefined;
}

/** What the page asks our server, from now on. */
function listen(page: Page) {
  const asked: Asked[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== "POST" || !pathname.startsWith("/api/")) return;
    const isForm = request.headers()["content-type"]?.includes("form-urlencoded");
    const text = request.postData() ?? "{}";
    const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
    asked.push({ path: pathname, body, key: request.headers()["idempotency-key"] });
  });
  return { to: (path: string) => asked.filter((one) => one.path === path) };
}

interface Intent {
  id: string;
  object: string;
  status: string;
  setup_future_usage: string | null;
}

/** The provider's word on what was opened by the answers that came to this page. */
function intents(page: Page) {
  const secrets = new Set<string>();
  page.on("response", async (response) => {
    if (!/create-intent|create-payment-intent|addition\/confirm/.test(response.url())) return;
    const { clientSecret } = await response.json().catch(() => ({ clientSecret: null }));
    if (clientSecret) secrets.add(clientSecret);
  });
  return {
    count: () => secrets.size,
    all: () =>
      Promise.all(
        [...secrets].map(async (secret) => {
          const id = secret.split("_secret")[0];
          const address = `${sandboxUrl}/stripe/v1/payment_intents/${id}?client_secret=${secret}`;
          const answer = await page.request.get(address, { headers: { authorization: "Bearer pk_test_stillpoint" } });
          return (await answer.json()) as Intent;
        }),
      ),
  };
}

test.describe("the live programme", () => {
  test("is paid by somebody without an account", async ({ page }) => {
    const guest = new Guest(page);
    const asked = listen(page);
    const opened = intents(page);
    await guest.comes();
    await expect(total(page)).toHaveText("Due today$49");
    await expectAccessible(page);
    await guest.says(`  ${guest.name} `, ` ${guest.email}  `);
    await guest.fillIn(cards.good);
    await payButton(page).click();
    await guest.hasAPlace();
    await expectAccessible(page);

    const [priced] = asked.to("/api/web-campaign-landing");
    expect(priced?.body).toMatchObject({ campaign: "live-program", language: "en", ip: "127.0.0.1" });
    const [call, ...more] = asked.to("/api/one-time/create-intent");
    expect(more).toEqual([]);
    expect(call?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(call?.body).toMatchObject({ source: "Stillpoint live programme", language: "en" });
    expect(await opened.all()).toMatchObject([{ status: "succeeded" }]);
  });

  test("wants a name and an address before anything is sent", async ({ page }) => {
    const guest = new Guest(page);
    const asked = listen(page);
    await guest.comes();
    await guest.fillIn(cards.good);
    await payButton(page).click();
    await expect(main(page).getByRole("alert")).toContainText("fill in your name and a valid e-mail address");
    await expect(main(page).getByLabel("E-mail address")).toBeFocused();
    await expectAccessible(page);
    await guest.says("  ", "ada@nowhere");
    await payButton(page).click();
    await expect(main(page).getByLabel("Your name")).toHaveAttribute("aria-invalid", "true");
    await expect(main(page).getByText("Please enter a valid e-mail address.")).toBeVisible();
    expect(asked.to("/api/one-time/create-intent")).toEqual([]);
  });

  test("a declined card is explained in the provider's words, and another pays the same", async ({ page }) => {
    const guest = new Guest(page);
    const opened = intents(page);
    await guest.comes();
    await guest.pays(cards.declined);
    await expect(main(page).getByRole("alert")).toContainText("Your card was declined");
    await expect(payButton(page)).toBeEnabled();
    await expectAccessible(page);
    await guest.fillIn(cards.good);
    await payButton(page).click();
    await guest.hasAPlace();
    expect(await opened.all()).toMatchObject([{ status: "succeeded" }]);
  });

  test("in Turkish a refusal has our own sentence", async ({ page }) => {
    const guest = new Guest(page);
    await guest.comes("/tr/payment/live-program/");
    await main(page).getByLabel("Ad", { exact: true }).fill(guest.name);
    await main(page).getByLabel("E-posta").fill(guest.email);
    const button = main(page).getByRole("button", { name: /öde$/ });
    const refusals = [
      ["4000 0000 0000 9995", "yeterli bakiye yok"],
      ["4000 0000 0000 0069", "süresi dolmuş"],
      ["4000 0000 0000 0127", "Güvenlik kodu hatalı"],
      [cards.declined, "kart bilgilerinizi kontrol edin"],
    ] as const;
    for (const [card, words] of refusals) {
      await guest.fillIn(card);
      await button.click();
      await expect(main(page).getByRole("alert")).toContainText(words);
    }
  });

  test("a bank that asks is answered in place", async ({ page }) => {
    const guest = new Guest(page);
    await guest.comes();
    await guest.pays(cards.asksForProof);
    await guest.answersTheBank("Complete authentication");
    await guest.hasAPlace();
  });

  test("a bank that is refused the proof leaves the buyer on the page to try again", async ({ page }) => {
    const guest = new Guest(page);
    const opened = intents(page);
    await guest.comes();
    await guest.pays(cards.asksForProof);
    await guest.answersTheBank("Fail authentication");
    await expect(main(page).getByRole("alert")).toBeVisible();
    await expectAccessible(page);
    await guest.fillIn(cards.good);
    await payButton(page).click();
    await guest.hasAPlace();
    expect(await opened.all()).toMatchObject([{ status: "succeeded" }]);
  });

  test("an expired price is shown anew before anything can be paid", async ({ page }) => {
    const guest = new Guest(page);
    const asked = listen(page);
    await guest.comes();
    await expect(total(page)).toHaveText("Due today$49");
    await once(page, "**/api/one-time/create-intent", (route) =>
      route.fulfill({ json: { status: false, data: null, code: "QUOTE_EXPIRED", message: "Expired." } }),
    );
    await once(page, "**/api/web-campaign-landing", async (route) => {
      const answer = await route.fetch();
      const { data, ...rest } = await answer.json();
      await route.fulfill({ response: answer, json: { ...rest, data: { ...data, price: 59, default_price: 59 } } });
    });
    await guest.pays(cards.good);
    await expect(total(page)).toHaveText("Due today$59");
    await expect(main(page).getByRole("alert")).toContainText("The price you saw is no longer held");
    await expect(main(page).getByLabel("Your name")).toHaveValue(guest.name);
    await expectAccessible(page);
    expect(asked.to("/api/web-campaign-landing").at(-1)?.body).toMatchObject({
      customer_name: guest.name,
      customer_email: guest.email,
    });
    await main(page).getByRole("button", { name: "Pay $59" }).click();
    await guest.hasAPlace();
    const keys = asked.to("/api/one-time/create-intent").map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
  });

  test.describe("behind a broken connection", () => {
    test.use({ expected: /Failed to load resource|ERR_/ });

    test("blocks the form, and sends the very same again", async ({ page }) => {
      const guest = new Guest(page);
      const asked = listen(page);
      const opened = intents(page);
      await guest.comes();
      await page.route("**/api/one-time/create-intent", async (route) => {
        await route.fetch();
        await route.fulfill({ status: 503, json: { code: "UNAVAILABLE" } });
      });
      await guest.pays(cards.good);
      const again = main(page).getByRole("button", { name: "Try again" });
      await expect(again).toBeVisible();
      await expect(main(page).getByRole("alert")).toContainText("you will not be charged twice");
      await expect(page.getByRole("status").filter({ hasText: "Payment received" })).toHaveCount(0);
      await expectAccessible(page);
      await page.unroute("**/api/one-time/create-intent");
      await again.click();
      await guest.hasAPlace();
      const calls = asked.to("/api/one-time/create-intent");
      expect(calls.length).toBeGreaterThan(3);
      expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
      expect(new Set(calls.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(await opened.all()).toMatchObject([{ status: "succeeded" }]);
    });

    test("looks what became of a payment whose answer was lost, and does not pay twice", async ({ page }) => {
      const guest = new Guest(page);
      const opened = intents(page);
      await guest.comes();
      await once(page, "**/v1/payment_intents/*/confirm", async (route) => {
        await route.fetch();
        await route.abort("connectionreset");
      });
      await guest.pays(cards.good);
      await guest.hasAPlace();
      expect(await opened.all()).toMatchObject([{ status: "succeeded" }]);
    });

    test("says so while nobody answers, and guesses nothing", async ({ page }) => {
      test.slow();
      const guest = new Guest(page);
      await guest.comes();
      const isProviders = "**/v1/payment_intents/**";
      await page.route(isProviders, (route) => route.abort("connectionreset"));
      await guest.pays(cards.good);
      const check = main(page).getByRole("button", { name: "Check again" });
      await expect(check).toBeVisible({ timeout: 60_000 });
      await expect(payButton(page)).toHaveCount(0);
      await expectAccessible(page);
      await page.unroute(isProviders);
      await check.click();
      await expect(main(page).getByRole("alert")).toContainText("you will not be charged twice");
      await payButton(page).click();
      await guest.hasAPlace();
    });
  });

  test("a slow answer is waited for, and two clicks pay once", async ({ page }) => {
    const guest = new Guest(page);
    const asked = listen(page);
    await guest.comes();
    await page.route("**/api/one-time/create-intent", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      await route.continue();
    });
    await guest.says();
    await guest.fillIn(cards.good);
    await payButton(page).dblclick();
    await expect(main(page).getByRole("status").filter({ hasText: "Sending your order" })).toBeVisible();
    await expectAccessible(page);
    await guest.hasAPlace();
    expect(asked.to("/api/one-time/create-intent")).toHaveLength(1);
  });

  test("a tab closed midway costs nothing twice", async ({ page, context }) => {
    const guest = new Guest(page);
    const first = listen(page);
    const opened = intents(page);
    await guest.comes();
    await guest.pays(cards.asksForProof);
    await expect(page.getByRole("dialog", { name: "3D Secure authentication" })).toBeVisible();
    const [before] = first.to("/api/one-time/create-intent");

    const next = await context.newPage();
    await page.close();
    const back = new Guest(next);
    const second = listen(next);
    const openedAgain = intents(next);
    await back.comes();
    await back.says(guest.name, guest.email);
    await back.fillIn(cards.good);
    await payButton(next).click();
    await back.hasAPlace();
    expect(second.to("/api/one-time/create-intent").map(({ key }) => key)).toEqual([before?.key]);
    expect(opened.count()).toBe(1);
    expect(await openedAgain.all()).toMatchObject([{ status: "succeeded" }]);
  });

  test("two tabs pay once", async ({ page, context }) => {
    const guest = new Guest(page);
    await guest.comes();
    const other = await context.newPage();
    const twin = new Guest(other);
    await twin.comes();
    await guest.pays(cards.asksForProof);
    await expect(page.getByRole("dialog", { name: "3D Secure authentication" })).toBeVisible();
    await twin.says(guest.name, guest.email);
    await twin.fillIn(cards.good);
    await payButton(other).click();
    await twin.hasAPlace();
    await guest.answersTheBank("Complete authentication");
    await guest.hasAPlace();
  });

  test("whoever goes back after paying finds the form and no open payment", async ({ page }) => {
    const guest = new Guest(page);
    await guest.comes();
    await guest.pays(cards.good);
    await guest.hasAPlace();
    await page.goBack();
    await expect(payButton(page)).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem("oneTimePayment"))).toBeNull();
  });

  test("a card form that does not load can be asked for again", async ({ page }) => {
    await page.route(/\/stripe\.js/, (route) => route.abort());
    await page.goto(LIVE);
    await expect(main(page).getByText("The secure card form did not load")).toBeVisible();
    await expectAccessible(page);
    await page.unroute(/\/stripe\.js/);
    await main(page).getByRole("button", { name: "Try again" }).click();
    await expect(payButton(page)).toBeVisible();
  });
});

test.describe("another session", () => {
  test("is for members: a visitor is shown the way", async ({ page }) => {
    await page.goto(THERAPY);
    const way = main(page).getByRole("link", { name: "Create account" });
    await expect(way).toHaveAttribute("href", /\/en\/signup\/\?redirectPage=%2Fen%2Fpayment%2Ftherapy-session%2F/);
    await expectAccessible(page);
  });

  test("with a therapist wants both boxes ticked, and keeps the card", async ({ page }) => {
    const buyer = await member(page, THERAPY);
    const opened = intents(page);
    const asked = listen(page);
    const confirmed: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/confirm") && request.url().includes("payment_intents")) {
        confirmed.push(request.postData() ?? "");
      }
    });
    await expect(main(page).getByLabel("Your name")).toHaveCount(0);
    await expect(main(page).getByRole("checkbox")).toHaveCount(2);
    await expectAccessible(page);
    await buyer.fillIn(cards.good);
    await expect(payButton(page)).toHaveAttribute("aria-disabled", "true");
    await main(page).getByRole("checkbox").first().check();
    await expect(payButton(page)).toHaveAttribute("aria-disabled", "true");
    await main(page).getByRole("checkbox").last().check();
    await payButton(page).click();
    await expect(page).toHaveURL(/\/en\/success\/counseling-welcome\/\?redirectPage=/);
    const [call] = asked.to("/api/create-payment-intent");
    expect(call?.body.source).toBe("therapy_addition");
    expect(confirmed.map((body) => new URLSearchParams(body).get("setup_future_usage"))).toEqual(["off_session"]);
    expect(await opened.all()).toMatchObject([{ status: "succeeded" }]);
  });

  test("with a coach is paid by the card that was left the first time", async ({ page }) => {
    const buyer = await member(page, COACHING);
    await expect(main(page).getByRole("checkbox")).toHaveCount(0);
    await buyer.fillIn(cards.good);
    await payButton(page).click();
    await expect(page).toHaveURL(/\/en\/success-coaching-new\/$/);

    const asked = listen(page);
    await page.goto(COACHING);
    await expect(keptCard(page)).toBeVisible();
    await expectAccessible(page);
    await payButton(page).click();
    await expect(page).toHaveURL(/\/en\/success-coaching-new\/$/);
    expect(asked.to("/api/create-payment-intent")).toEqual([]);
    expect(asked.to("/api/addition/confirm")).toHaveLength(1);

    await page.goto(COACHING);
    await main(page)
      .getByRole("button", { name: /^Change/ })
      .click();
    await buyer.fillIn(cards.another);
    await payButton(page).click();
    await expect(page).toHaveURL(/\/en\/success-coaching-new\/$/);
    expect(asked.to("/api/create-payment-intent")).toHaveLength(1);
  });

  test("a kept card that its bank refuses makes room for another", async ({ page }) => {
    const buyer = await member(page, COACHING);
    const created = page.waitForResponse((response) => response.url().endsWith("/v1/payment_methods"));
    await buyer.fillIn(cards.good);
    await payButton(page).click();
    const { id } = (await (await created).json()) as { id: string };
    await expect(page).toHaveURL(/\/en\/success-coaching-new\/$/);
    const refusal = await page.request.post(`${sandboxUrl}/sandbox/stripe/payment_methods/${id}`, {
      data: { refusal: "insufficient_funds" },
    });
    expect(refusal.ok()).toBe(true);

    await page.goto(COACHING);
    await expect(keptCard(page)).toBeVisible();
    await payButton(page).click();
    await expect(main(page).getByRole("alert")).toBeVisible();
    await expectAccessible(page);
    await buyer.fillIn(cards.another);
    await payButton(page).click();
    await expect(page).toHaveURL(/\/en\/success-coaching-new\/$/);
  });

  test("a declined card, then a bank that asks and is answered", async ({ page }) => {
    const buyer = await member(page, THERAPY);
    await agrees(page);
    await buyer.fillIn(cards.declined);
    await payButton(page).click();
    await expect(main(page).getByRole("alert")).toContainText("Your card was declined");
    await expectAccessible(page);
    await buyer.fillIn(cards.asksForProof);
    await payButton(page).click();
    await buyer.answersTheBank("Fail authentication");
    await expect(main(page).getByRole("alert")).toBeVisible();
    await payButton(page).click();
    await buyer.answersTheBank("Complete authentication");
    await expect(page).toHaveURL(/\/en\/success\/counseling-welcome\//);
  });

  test("an expired price is shown anew", async ({ page }) => {
    const buyer = await member(page, COACHING);
    await once(page, "**/api/create-payment-intent", (route) =>
      route.fulfill({ json: { status: false, data: null, code: "QUOTE_EXPIRED", message: "Expired." } }),
    );
    await buyer.fillIn(cards.good);
    await payButton(page).click();
    await expect(main(page).getByRole("alert")).toContainText("The price you saw is no longer held");
    await payButton(page).click();
    await expect(page).toHaveURL(/\/en\/success-coaching-new\/$/);
  });

  test("two tabs of one member pay once", async ({ page, context }) => {
    const buyer = await member(page, COACHING);
    const other = await context.newPage();
    await other.goto(COACHING);
    await expect(payButton(other)).toBeVisible();
    const opened = [intents(page), intents(other)];
    await buyer.fillIn(cards.asksForProof);
    await payButton(page).click();
    await expect(page.getByRole("dialog", { name: "3D Secure authentication" })).toBeVisible();
    const twin = new Buyer(other);
    await twin.fillIn(cards.good);
    await payButton(other).click();
    await expect(other).toHaveURL(/\/en\/success-coaching-new\/$/);
    await buyer.answersTheBank("Complete authentication");
    await expect(page).toHaveURL(/\/en\/success-coaching-new\/$/);
    const all = (await Promise.all(opened.map((one) => one.all()))).flat();
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });

  test.describe("behind a broken connection", () => {
    test.use({ expected: /Failed to load resource|ERR_/ });

    test("looks what became of a member's payment whose answer was lost", async ({ page }) => {
      const buyer = await member(page, COACHING);
      const opened = intents(page);
      await once(page, "**/v1/payment_intents/*/confirm", async (route) => {
        await route.fetch();
        await route.abort("connectionreset");
      });
      await buyer.fillIn(cards.good);
      await payButton(page).dblclick();
      await expect(page).toHaveURL(/\/en\/success-coaching-new\/$/);
      expect(await opened.all()).toMatchObject([{ status: "succeeded", setup_future_usage: "off_session" }]);
    });

    test("the kept card is charged once, however often the call is sent", async ({ page }) => {
      const buyer = await member(page, COACHING);
      await buyer.fillIn(cards.good);
      await payButton(page).click();
      await expect(page).toHaveURL(/\/en\/success-coaching-new\/$/);
      await page.goto(COACHING);
      await expect(keptCard(page)).toBeVisible();
      const asked = listen(page);
      await page.route("**/api/addition/confirm", async (route) => {
        await route.fetch();
        await route.abort("connectionreset");
      });
      await payButton(page).click();
      const again = main(page).getByRole("button", { name: "Try again" });
      await expect(again).toBeVisible();
      await expect(main(page).getByRole("button", { name: /^Change/ })).toHaveAttribute("aria-disabled", "true");
      await page.unroute("**/api/addition/confirm");
      await again.click();
      await expect(page).toHaveURL(/\/en\/success-coaching-new\/$/);
      expect(new Set(asked.to("/api/addition/confirm").map(({ key }) => key)).size).toBe(1);
    });
  });
});

async function once(page: Page, url: string, answer: (route: Route) => Promise<void>) {
  await page.route(url, answer, { times: 1 });
}
