import type { Page } from "@playwright/test";
import { Buyer, cards } from "../support/buyer.ts";
import { all, desktop, smoke } from "../support/passes.ts";
import { placesWhileLoading } from "../support/steady.ts";
import { alive, expect, expectAccessible, fastForwardUntil, test } from "../support/stillpoint.ts";
import { intents, listen, once, refusedOrWithheld } from "../support/wire.ts";

/** One-time purchases of guests and members. Add-ons of members are in `one-time-additions.spec.ts`. */

test.use({ expected: refusedOrWithheld });

const main = (page: Page) => page.getByRole("main");
const payButton = (page: Page) => main(page).getByRole("button", { name: /^Pay \$/ });
const total = (page: Page) => main(page).getByRole("region", { name: "Order summary" }).locator("dl").last();

const LIVE = "/en/payment/live-program/";

/** A buyer without an account on the page of the live programme. */
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

test.describe("the live programme", () => {
  test("is paid without an account", all(smoke, desktop("form and summary in two columns")), async ({ page }) => {
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

  test(
    "stands where it will stand before its price is known",
    desktop("form and summary in two columns"),
    async ({ page, isMobile }) => {
      for (const locale of isMobile ? ["en", "de", "ar", "ja"] : ["en", "ar"]) {
        const { before, after } = await placesWhileLoading(page, `/${locale}/payment/live-program/`);
        expect(after, locale).toEqual(before);
      }
    },
  );

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

  test("in Turkish a refusal has our own sentence", async ({ page }) => {
    const guest = new Guest(page);
    await guest.comes("/tr/payment/live-program/");
    await main(page).getByLabel("Ad", { exact: true }).fill(guest.name);
    await main(page).getByLabel("E-posta").fill(guest.email);
    const button = main(page).getByRole("button", { name: /öde$/ });
    const refusals = [
      ["4000 0000 0000 9995", "yeterli bakiye yok"],
      [cards.declined, "kart bilgilerinizi kontrol edin"],
    ] as const;
    for (const [card, words] of refusals) {
      await guest.fillIn(card);
      await button.click();
      await expect(main(page).getByRole("alert")).toContainText(words);
    }
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
      await page.clock.install();
      await guest.comes();
      await page.route("**/api/one-time/create-intent", async (route) => {
        await route.fetch();
        await route.fulfill({ status: 503, json: { code: "UNAVAILABLE" } });
      });
      await guest.pays(cards.good);
      const again = main(page).getByRole("button", { name: "Try again" });
      await fastForwardUntil(page, () => expect(again).toBeVisible({ timeout: 500 }));
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

    test("checks a payment whose response was lost, does not pay twice, and has no open payment when going back", async ({
      page,
    }) => {
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

      await page.goBack();
      await expect(payButton(page)).toBeVisible();
      expect(await page.evaluate(() => localStorage.getItem("oneTimePayment"))).toBeNull();
    });

    test("offers another check while the provider does not respond, and claims nothing", async ({ page }) => {
      const guest = new Guest(page);
      await page.clock.install();
      await guest.comes();
      const isProviders = "**/v1/payment_intents/**";
      await page.route(isProviders, (route) => route.abort("connectionreset"));
      await guest.pays(cards.good);
      const check = main(page).getByRole("button", { name: "Check again" });
      // It asks for half a minute before it gives up.
      await fastForwardUntil(page, () => expect(check).toBeVisible({ timeout: 500 }));
      await expect(payButton(page)).toHaveCount(0);
      await expectAccessible(page);
      await page.unroute(isProviders);
      await check.click();
      await expect(main(page).getByRole("alert")).toContainText("you will not be charged twice");
      await payButton(page).click();
      await guest.hasAPlace();
    });
  });
});
