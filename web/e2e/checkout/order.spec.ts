import { readFileSync } from "node:fs";
import { join as path } from "node:path";
import type { Page } from "@playwright/test";
import { Buyer, cards } from "../support/buyer.ts";
import { join, statusOf } from "../support/member.ts";
import { subscriptionsOf } from "../support/outside.ts";
import { desktop } from "../support/passes.ts";
import { alive, expect, expectAccessible, test } from "../support/stillpoint.ts";

/** The terms above the payment button, and its label. */

const main = (page: Page) => page.getByRole("main");
const DAY_MS = 24 * 60 * 60 * 1000;

const livesIn = (page: Page, country: string) =>
  page.addInitScript((code) => localStorage.setItem("country", code), country);

/** Where PayPal stands before the card, that is asked for by the reader's word for it; PayPal does not take every currency. */
async function asksForCard(page: Page, locale: string) {
  const texts = readFileSync(path(import.meta.dirname, `../../locales/journeys/${locale}.json`), "utf8");
  const { checkout } = JSON.parse(texts) as { checkout: { continueWithCard: string } };
  const toggle = main(page).getByRole("button", { name: checkout.continueWithCard, exact: true });
  await expect(toggle.or(main(page).locator("button[type=submit]"))).toBeVisible();
  if (await toggle.isVisible()) await toggle.click();
}

/** In the longest words and from right to left; `order-label.test.tsx` has every language. */
const BINDING = {
  en: "Order with obligation to pay",
  fr: "Commander avec obligation de paiement",
  ru: "Заказать с обязательством оплаты",
  ar: "اطلب مع الالتزام بالدفع",
};

test("a buyer in the Union presses a button with the law's own words, and others the page's own", async ({
  page,
  context,
}) => {
  await join(context);
  await livesIn(page, "FR");
  for (const [locale, label] of Object.entries(BINDING)) {
    await page.goto(`/${locale}/payment/annual/`);
    await asksForCard(page, locale);
    await expect(main(page).getByRole("button", { name: label, exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), locale).toBeLessThanOrEqual(0);
  }
  // Also for what is paid once.
  await page.goto("/fr/payment/therapy-session/");
  await expect(main(page).getByRole("button", { name: BINDING.fr, exact: true })).toBeVisible();

  await livesIn(page, "US");
  await page.goto("/en/payment/annual/");
  await asksForCard(page, "en");
  await expect(main(page).getByRole("button", { name: "Start free trial", exact: true })).toBeVisible();
});

test(
  "a trial shows its three days and its terms before it begins, and begins",
  desktop("the timeline beside the form"),
  async ({ page }) => {
    const buyer = new Buyer(page);
    await livesIn(page, "DE");
    await buyer.opens("/en/payment/annual/");
    const timeline = main(page).getByRole("list", { name: "How your free trial works" });
    await expect(timeline).toBeVisible();
    const days = timeline.getByRole("listitem");
    await expect(days).toHaveCount(3);
    const now = await page.evaluate(() => Date.now());
    const dayOf = (after: number) =>
      page.evaluate(
        (at) => {
          const day = new Date(at);
          const two = (part: number) => String(part).padStart(2, "0");
          return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
        },
        now + after * DAY_MS,
      );
    for (const [index, after] of [0, 4, 7].entries()) {
      await expect(days.nth(index).locator("time")).toHaveAttribute("datetime", await dayOf(after));
    }
    await expect(days.nth(1)).toContainText("We remind you by e-mail.");
    await expect(days.nth(2)).toContainText("$");
    const terms = main(page).getByText(/Nothing is charged today.*You can cancel at any time in your account\./);
    await expect(terms).toBeVisible();
    await buyer.seesTotal("$0");
    await asksForCard(page, "en");
    const order = main(page).getByRole("button", { name: BINDING.en });
    const [above, below] = [await terms.boundingBox(), await order.boundingBox()];
    expect(above && below && above.y + above.height <= below.y).toBe(true);
    await expectAccessible(page);

    await buyer.fillIn(cards.good);
    await alive(order);
    await order.click();
    await buyer.arrives();
    expect(await subscriptionsOf(page.request)).toMatchObject([{ status: "trialing", trial_days: 7, price: 69.99 }]);
  },
);

test("a trial whose bank refuses the proof is unconfirmed in the account", async ({ page }) => {
  const buyer = new Buyer(page);
  await buyer.opens("/en/payment/annual/");
  await buyer.fillIn(cards.asksForProof);
  await buyer.submit();
  await buyer.answersTheBank("Fail authentication");
  await expect(main(page).getByRole("alert")).toContainText(/authenticat/);
  await expect.poll(() => statusOf(page)).toEqual(["incomplete"]);

  await page.goto("/en/account/");
  await expect(main(page).getByText("A payment of yours is not confirmed yet.", { exact: false })).toBeVisible();
  await expect(main(page).getByText("Free trial", { exact: true })).toHaveCount(0);
  await expectAccessible(page);
});
