import type { Page } from "@playwright/test";
import { cards } from "../support/buyer.ts";
import { type Form, forms, Visit } from "../support/forms.ts";
import { join, statusOf } from "../support/member.ts";
import { changeIsOver } from "../support/steady.ts";
import { expect, expectAccessible, test } from "../support/stillpoint.ts";
import { chargesOf } from "../support/wire.ts";

/** The browser's own buttons on a payment page: back after paying, and back to the offer and forward again. */

const ALREADY = "You already have this subscription. Nothing has been charged.";
const LANDING = "/en/landing/sleep/";
const ITS_FORM = "/en/payment/monthly/welcome/";

const fromLanding = forms.find(({ name }) => name === "PaymentForm, from a campaign's landing page") as Form;
/** Products that can be owned once, each form by one way to it. One-time purchases are in one-time.spec.ts. */
const keeping = forms.filter(
  ({ name, has, opens }) => !/, from /.test(name) && (has.length > 0 || opens.at === "load"),
);
const FOR_GOOD = "PaymentForm, sold for good";

/** In the middle of a change of pages another would cut it short. What the page shows already is moved in the frames that follow. */
async function isAtRest(page: Page) {
  await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  await page.waitForFunction(changeIsOver);
}

async function goes(page: Page, way: "goBack" | "goForward") {
  await isAtRest(page);
  await page[way]();
}

for (const form of keeping.filter(({ name }) => name !== FOR_GOOD)) {
  test(`${form.name}: going back after paying shows that it is owned`, async ({ page, context }) => {
    test.slow();
    const { email } = await join(context);
    const visit = new Visit(page, form);
    await visit.comes();
    const formUrl = page.url();
    await visit.pays(cards.good);
    await visit.arrives();
    await expect.poll(() => statusOf(context)).toEqual(form.has);
    const successUrl = page.url();

    await goes(page, "goBack");
    await expect(page).toHaveURL(formUrl);
    await visit.isReady();
    if (form.opens.at === "load") {
      // There is nothing that could be paid: no card is asked for in vain.
      await expect(visit.refusal).toContainText(ALREADY);
      await visit.shows();
      await expect(visit.button).toHaveAttribute("aria-disabled", "true");
    } else {
      await visit.pays(cards.another);
      await expect(visit.refusal).toContainText(ALREADY);
    }
    await expectAccessible(page);

    await goes(page, "goForward");
    await expect(page).toHaveURL(successUrl);
    await visit.arrives();

    await goes(page, "goBack");
    await visit.isReady();
    if (form.opens.at === "press") await visit.pays(cards.another);
    await isAtRest(page);
    await visit.refusal.getByRole("link", { name: "Go to my subscription" }).click();
    await expect(page).toHaveURL(/\/en\/account\/$/);
    await isAtRest(page);
    expect(await chargesOf(context, email)).toBe(form.charges);
    expect((await statusOf(context)).filter((status) => status !== "incomplete")).toEqual(form.has);
  });
}

test(`${FOR_GOOD}: going back after paying shows that it is owned`, async ({ page, context }) => {
  const { email } = await join(context);
  const form = forms.find(({ name }) => name === FOR_GOOD) as Form;
  const visit = new Visit(page, form);
  await visit.comes();
  await visit.pays(cards.good);
  await visit.arrives();
  const successUrl = page.url();

  await goes(page, "goBack");
  await expect(visit.main.getByRole("status")).toContainText("You own this for good");
  await expect(visit.button).toHaveCount(0);
  await expectAccessible(page);

  await goes(page, "goForward");
  await expect(page).toHaveURL(successUrl);
  await visit.arrives();
  expect(await chargesOf(context, email)).toBe(form.charges);
});

/** How a buyer comes from the offer to the form. */
const ways = [
  { name: "within the app", comes: fromLanding.comes },
  {
    name: "by whole pages",
    async comes(page: Page) {
      await page.goto(LANDING);
      await page.goto(ITS_FORM);
    },
  },
];

for (const { name, comes } of ways) {
  test(`back to the offer and forward again, ${name}, the form works and the price is the same`, async ({
    page,
    context,
  }) => {
    const { email } = await join(context);
    const visit = new Visit(page, { ...fromLanding, comes });
    const total = visit.main.getByRole("region", { name: "Order summary" }).locator("dl").last();
    await visit.comes();
    const shown = (await total.textContent()) ?? "";
    expect(shown).toMatch(/^Due today\$\d/);
    await visit.shows();
    await visit.fillIn(cards.declined);

    await goes(page, "goBack");
    await expect(page).toHaveURL(new RegExp(`${LANDING}$`));
    await expect(visit.main.getByRole("button", { name: "Continue" })).toBeVisible();
    await expectAccessible(page);

    await goes(page, "goForward");
    await expect(page).toHaveURL(new RegExp(ITS_FORM));
    await visit.isReady();
    await expect(total).toHaveText(shown);
    await expectAccessible(page);
    // The card fields are empty again: the card typed now is charged.
    await visit.pays(cards.good);
    await visit.arrives();
    expect(await statusOf(context)).toEqual(fromLanding.has);
    expect(await chargesOf(context, email)).toBe(fromLanding.charges);
  });
}
