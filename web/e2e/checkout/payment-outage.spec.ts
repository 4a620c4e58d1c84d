import type { APIRequestContext, Browser, BrowserContext, Page } from "@playwright/test";
import { Buyer, cards, pressIn } from "../support/buyer.ts";
import { type Form, forms, Visit } from "../support/forms.ts";
import { join, statusOf } from "../support/member.ts";
import { phone } from "../support/screens.ts";
import { expect, expectAccessible, sandboxUrl, test } from "../support/stillpoint.ts";
import { chargesOf } from "../support/wire.ts";

/** All payment providers are out of reach of the server. That affects all buyers: they come in one test, and nothing runs beside it. */

test.describe.configure({ mode: "serial", timeout: 240_000 });

const MONTHLY = "/en/payment/monthly/";
const TIMEOUT = { timeout: 90_000 };

const OUT_OF_REACH = [
  { method: "POST", path: "/stripe/v1/subscriptions" },
  { method: "POST", path: "/stripe/v1/payment_intents" },
  { method: "GET", path: "/paypal/v1/billing/subscriptions/*" },
  { method: "POST", path: "/yookassa/v3/payments" },
  { method: "GET", path: "/yookassa/v3/payments/*" },
  { method: "POST", path: "/platron/init_payment.php" },
];

async function strike(request: APIRequestContext): Promise<number[]> {
  const data = OUT_OF_REACH.map((match) => ({ match, times: 0, action: { type: "drop_before" } }));
  const answer = await request.post(`${sandboxUrl}/sandbox/faults`, { data });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { ids: number[] }).ids;
}

async function lift(request: APIRequestContext, ids: number[]) {
  for (const id of ids) await request.delete(`${sandboxUrl}/sandbox/faults/${id}`);
}

/** One buyer before, during and after the outage. */
interface Story {
  before?: () => Promise<void>;
  during: () => Promise<void>;
  after: () => Promise<void>;
}

const main = (page: Page) => page.getByRole("main");
const tryAgain = (page: Page) => main(page).getByRole("button", { name: "Try again" });

/** By itself, or with another press where the page asks for one. */
async function goesOn(page: Page, to: RegExp) {
  await expect(async () => {
    if (await tryAgain(page).isVisible()) await tryAgain(page).click({ timeout: 1_000 });
    await expect(page).toHaveURL(to, { timeout: 3_000 });
  }).toPass(TIMEOUT);
}

async function byCard(context: BrowserContext, page: Page, form: Form): Promise<Story> {
  const email = form.isForAll ? null : (await join(context)).email;
  const visit = new Visit(page, form);
  const opensAtLoad = form.opens.at === "load";
  return {
    before: async () => void (opensAtLoad || (await visit.comes())),
    async during() {
      if (opensAtLoad) {
        await form.comes(page);
        await expect(visit.main.getByText("The payment cannot be prepared at the moment")).toBeVisible(TIMEOUT);
        await visit.shows();
        await expect(visit.button).toHaveAttribute("aria-disabled", "true");
      } else {
        await visit.pays(cards.good);
        await expect(visit.main.getByRole("status").filter({ hasText: /Sending|Checking|thinking/ })).toBeVisible();
      }
      await expectAccessible(page);
    },
    async after() {
      if (opensAtLoad) {
        await tryAgain(page).click();
        await expect(visit.button).not.toHaveAttribute("aria-disabled", "true", TIMEOUT);
        await visit.pays(cards.good);
      }
      await goesOn(page, form.arrives);
      if (email === null) return;
      await expect.poll(() => statusOf(context), TIMEOUT).toEqual(form.has);
      expect(await chargesOf(context, email)).toBe(form.charges);
    },
  };
}

/** The card a member left with an earlier payment. */
async function bySavedCard(context: BrowserContext, page: Page): Promise<Story> {
  const form = forms.find(({ name }) => name.endsWith("soul")) as Form;
  const { email } = await join(context);
  const visit = new Visit(page, form);
  return {
    async before() {
      await visit.comes();
      await visit.pays(cards.good);
      await visit.arrives();
      await visit.comes();
      await expect(visit.main.getByRole("paragraph").filter({ hasText: "•••• 4242" })).toBeVisible();
    },
    async during() {
      await visit.button.click();
      await expect(visit.main.getByRole("status").filter({ hasText: /Sending|Checking/ })).toBeVisible();
      await expectAccessible(page);
    },
    async after() {
      await goesOn(page, form.arrives);
      expect(await chargesOf(context, email)).toBe(2);
    },
  };
}

async function byPaypal(context: BrowserContext, page: Page): Promise<Story> {
  await join(context);
  const buyer = new Buyer(page);
  return {
    before: async () => void (await page.goto(MONTHLY)),
    async during() {
      await pressIn(await buyer.opensPaypal(), "Agree and subscribe");
      await expect(main(page).getByText("Checking with PayPal")).toBeVisible(TIMEOUT);
      await expectAccessible(page);
    },
    async after() {
      await expect(page).toHaveURL(/\/en\/success-page\//, TIMEOUT);
      expect(await statusOf(context)).toEqual(["active"]);
    },
  };
}

async function comesFromRussia(context: BrowserContext) {
  await context.addInitScript(() => localStorage.setItem("country", "RU"));
  await join(context);
}

/** The form was open before the outage: the server learns of its payment afterwards. */
async function atYookassa(context: BrowserContext, page: Page): Promise<Story> {
  await comesFromRussia(context);
  const pay = page
    .frameLocator('iframe[title="YooKassa payment form"]')
    .getByRole("button", { name: "Pay", exact: true });
  return {
    async before() {
      await page.goto(MONTHLY);
      await main(page).getByRole("button", { name: "Pay on this page" }).click();
      await expect(pay).toBeVisible();
    },
    async during() {
      await pay.click();
      await expect(main(page).getByText("Your bank is still thinking")).toBeVisible();
      await expectAccessible(page);
    },
    async after() {
      await expect(page).toHaveURL(/\/en\/success-page\//, TIMEOUT);
      expect(await statusOf(context)).toEqual(["active"]);
    },
  };
}

async function inRussia(context: BrowserContext, page: Page): Promise<Story> {
  await comesFromRussia(context);
  return {
    async during() {
      await page.goto(MONTHLY);
      await expect(main(page).getByRole("alert")).toContainText(
        "cannot be reached at the moment. Nothing has been charged",
      );
      await expect(main(page).getByText("cannot be paid with cards")).toHaveCount(0);
      const asked = page.waitForResponse("**/api/web-campaign");
      await tryAgain(page).click();
      await asked;
      await expect(main(page).getByRole("alert")).toContainText("cannot be reached at the moment");
      // The keyboard focus stays at the notice.
      await expect(main(page).locator(":focus")).toContainText("cannot be reached at the moment");
      await expect(main(page).getByRole("link", { name: "Continue to payment" })).toHaveCount(0);
      await expect(page.locator('iframe[title*="card" i]')).toHaveCount(0);
      await expectAccessible(page);
    },
    async after() {
      await tryAgain(page).click();
      await main(page).getByRole("link", { name: "Continue to payment" }).click();
      await page.getByRole("button", { name: "Pay", exact: true }).click();
      await expect(page).toHaveURL(/\/en\/payment-return\/\?.*pg_captured=1/);
      await expect.poll(() => statusOf(context)).toEqual(["active"]);
    },
  };
}

async function startStories(browser: Browser): Promise<Story[]> {
  const opened = async () => {
    const context = await browser.newContext({ ...phone, reducedMotion: "reduce", locale: "en-US" });
    return [context, await context.newPage()] as const;
  };
  const byCards = forms.map(async (form) => byCard(...(await opened()), form));
  const others = [bySavedCard, byPaypal, inRussia, atYookassa].map(async (by) => by(...(await opened())));
  return Promise.all([...byCards, ...others]);
}

test("while no payment provider responds no buyer is charged, afterwards each one once", async ({
  browser,
  request,
}) => {
  const stories = await startStories(browser);
  for (const { before } of stories) await before?.();
  const ids = await strike(request);
  try {
    await Promise.all(stories.map(({ during }) => during()));
  } finally {
    await lift(request, ids);
  }
  await Promise.all(stories.map(({ after }) => after()));
});
