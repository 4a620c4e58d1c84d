import type { Page } from "@playwright/test";
import { Buyer, cards } from "../support/buyer.ts";
import { placesWhileLoading } from "../support/steady.ts";
import { expect, expectAccessible, fastForwardUntil, sandboxUrl, test } from "../support/stillpoint.ts";
import { intents, listen, once, refusedOrWithheld } from "../support/wire.ts";

/** What members pay for once, beside what they have. */

test.use({ expected: refusedOrWithheld });

const main = (page: Page) => page.getByRole("main");
const payButton = (page: Page) => main(page).getByRole("button", { name: /^Pay \$/ });
const keptCard = (page: Page) => main(page).getByRole("paragraph").filter({ hasText: "•••• 4242" });

const THERAPY = "/en/payment/therapy-session/";
const COACHING = "/en/payment/coaching-session/";

/** A member on the page of an additional product. */
async function member(page: Page, path: string) {
  const buyer = new Buyer(page);
  await buyer.opens(path);
  await expect(payButton(page)).toBeVisible();
  return buyer;
}

test.describe("another session", () => {
  test("is for members: a visitor is shown the way", async ({ page }) => {
    await page.goto(THERAPY);
    const way = main(page).getByRole("link", { name: "Create account" });
    await expect(way).toHaveAttribute("href", /\/en\/signup\/\?redirectPage=%2Fen%2Fpayment%2Ftherapy-session%2F/);
    await expectAccessible(page);
  });

  test("stands where it will stand before its price is known", async ({ page }) => {
    await member(page, THERAPY);
    for (const [locale, session] of [
      ["en", "coaching-session"],
      ["de", "therapy-session"],
      ["ar", "therapy-session"],
      ["ja", "coaching-session"],
    ]) {
      const { before, after } = await placesWhileLoading(page, `/${locale}/payment/${session}/`);
      expect(after, `${locale} ${session}`).toEqual(before);
    }
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

  test("with a coach is paid by the card that was left, until its bank declines it or it is changed", async ({
    page,
  }) => {
    const buyer = await member(page, COACHING);
    const isDone = () => expect(page).toHaveURL(/\/en\/success-coaching-new\/$/);
    await expect(main(page).getByRole("checkbox")).toHaveCount(0);
    const created = page.waitForResponse((response) => response.url().endsWith("/v1/payment_methods"));
    await buyer.fillIn(cards.good);
    await payButton(page).click();
    const { id } = (await (await created).json()) as { id: string };
    await isDone();

    const asked = listen(page);
    await page.goto(COACHING);
    await expect(keptCard(page)).toBeVisible();
    await expectAccessible(page);
    await payButton(page).click();
    await isDone();
    expect(asked.to("/api/create-payment-intent")).toEqual([]);
    expect(asked.to("/api/addition/confirm")).toHaveLength(1);

    const refusal = await page.request.post(`${sandboxUrl}/sandbox/stripe/payment_methods/${id}`, {
      data: { decline: "insufficient_funds" },
    });
    expect(refusal.ok()).toBe(true);
    await page.goto(COACHING);
    await expect(keptCard(page)).toBeVisible();
    await payButton(page).click();
    await expect(main(page).getByRole("alert")).toBeVisible();
    await expectAccessible(page);
    await buyer.fillIn(cards.another);
    await payButton(page).click();
    await isDone();

    const before = asked.to("/api/create-payment-intent").length;
    await page.goto(COACHING);
    await main(page)
      .getByRole("button", { name: /^Change/ })
      .click();
    await buyer.fillIn(cards.good);
    await payButton(page).click();
    await isDone();
    expect(asked.to("/api/create-payment-intent")).toHaveLength(before + 1);
  });

  test.describe("behind a broken connection", () => {
    test.use({ expected: /Failed to load resource|ERR_/ });

    test("checks a member's payment whose response was lost", async ({ page }) => {
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

    test("the saved card is charged once, however often the request is sent", async ({ page }) => {
      await page.clock.install();
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
      await fastForwardUntil(page, () => expect(again).toBeVisible({ timeout: 500 }));
      await expect(main(page).getByRole("button", { name: /^Change/ })).toHaveAttribute("aria-disabled", "true");
      await page.unroute("**/api/addition/confirm");
      await again.click();
      await expect(page).toHaveURL(/\/en\/success-coaching-new\/$/);
      expect(new Set(asked.to("/api/addition/confirm").map(({ key }) => key)).size).toBe(1);
    });
  });
});
