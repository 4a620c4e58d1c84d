import type { Page, Request } from "@playwright/test";
import { Buyer, cards } from "../support/buyer.ts";
import { join, statusOf } from "../support/member.ts";
import { desktop } from "../support/passes.ts";
import { largestPaint } from "../support/steady.ts";
import { alive, expect, expectAccessible, fastForwardUntil, footer, test } from "../support/stillpoint.ts";
import { calls, hold } from "../support/wire.ts";

/** Paid trials, layout while loading, and survey orders on the payment page. */

const main = (page: Page) => page.getByRole("main");
const summary = (page: Page) => main(page).getByRole("region", { name: "Order summary" });

const paths = (seen: Request[]) => seen.map((request) => new URL(request.url()).pathname);

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

test("what there is most to read of a plan is in the page as it is sent", async ({ page, context }) => {
  const member = await join(context);
  for (const locale of ["en", "ar", "ja"]) {
    const path = `/${locale}/payment/monthly/`;
    await page.goto(path);
    await expect(main(page).getByText(member.email)).toBeVisible();
    const words = await largestPaint(page);
    const sent = await (await page.request.get(path)).text();
    expect(words).not.toBeNull();
    expect(sent, locale).toContain(`>${words}<`);
  }
});

/** On a desktop the summary stands beside the form and opens its details: nothing is below it. */
test("the summary of a trial is as high before its price is known as after", async ({ page, context }) => {
  test.slow();
  await join(context);
  const aside = main(page).locator(".checkout-columns > aside");
  const height = async () => {
    await page.evaluate(() => document.fonts.ready);
    return (await aside.boundingBox())?.height;
  };
  for (const [locale, plan] of [
    ["en", "trial"],
    ["de", "annual"],
    ["es", "trial"],
    ["pt", "annual"],
    ["pl", "trial"],
    ["ru", "annual"],
    ["ar", "trial"],
    ["ja", "annual"],
  ]) {
    const offer = await hold(page, /\/api\/web-campaign$/);
    await page.goto(`/${locale}/payment/${plan}/`);
    await expect(aside.locator(".skeleton").first()).toBeVisible();
    const before = await height();
    offer.release();
    await expect(aside.getByRole("region")).toBeVisible();
    expect(await height(), `${locale} ${plan}`).toBe(before);
    await page.unrouteAll({ behavior: "wait" });
  }
});

test.describe("on the smallest phones", () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test("neither summary nor form grows when prices come", async ({ page, context }) => {
    test.slow();
    await join(context);
    const parts = main(page).locator(".checkout-columns > *");
    const heights = async () => {
      await page.evaluate(() => document.fonts.ready);
      return parts.evaluateAll((all) => all.map((part) => part.getBoundingClientRect().height));
    };
    // Where total, title or button once took a second line.
    for (const [locale, plan] of [
      ["ar", "trial"],
      ["ru", "trial"],
      ["tr", "trial"],
      ["ru", "annual"],
      ["tr", "annual"],
    ]) {
      const offer = await hold(page, /\/api\/web-campaign$/);
      await page.goto(`/${locale}/payment/${plan}/`);
      await expect(parts.first().locator(".skeleton").first()).toBeVisible();
      const before = await heights();
      offer.release();
      await expect(parts.last().getByRole("button").last()).toBeVisible();
      expect(await heights(), `${locale} ${plan}`).toEqual(before);
      await page.unrouteAll({ behavior: "wait" });
    }
  });
});

test(
  "an overlay says that the order is loading, covers no text, blocks nothing, and disappears a second after the response",
  desktop("other words below the overlay"),
  async ({ page, context }) => {
    await join(context);
    const offer = await hold(page, /\/api\/web-campaign$/);
    await page.goto("/en/payment/monthly/");
    const overlay = page.locator("body > [role=status]").filter({ hasText: "Loading your order" });
    await expect(overlay).toBeVisible();
    await expectAccessible(page);
    expect(await overlay.locator("p").evaluate(wordsUnder)).toEqual([]);
    offer.release();
    await expect(summary(page)).toBeVisible();
    await expect(overlay).toHaveCount(0, { timeout: 3_000 });
    await expectAccessible(page);
  },
);

/** The text below this element. */
function wordsUnder(cover: Element): string[] {
  const area = cover.getBoundingClientRect();
  const isUnder = ({ left, right, top, bottom }: DOMRect) =>
    left < area.right && right > area.left && top < area.bottom && bottom > area.top;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const words = text.textContent?.trim() ?? "";
    const holder = text.parentElement;
    if (!words || !holder?.checkVisibility({ visibilityProperty: true }) || cover.contains(holder)) continue;
    // Words that are only read out take no room.
    if (holder.getBoundingClientRect().width <= 1) continue;
    const lines = document.createRange();
    lines.selectNodeContents(text);
    if ([...lines.getClientRects()].some(isUnder)) found.push(words);
  }
  return found;
}

test("a card payment without a decision of the bank settles by itself", async ({ page, context }) => {
  await join(context);
  const buyer = new Buyer(page);
  await page.clock.install();
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
  await fastForwardUntil(page, () => expect(page).toHaveURL(/\/en\/success-page\//, { timeout: 1_000 }));
  await buyer.arrives();
});

test.describe("the order of a survey", () => {
  const ORDER = "mdOrderId";
  const pushed = (page: Page, name: string) =>
    page.evaluate(
      (event) => (window.dataLayer ?? []).filter((entry) => (entry as { event?: string }).event === event).length,
      name,
    );

  async function survey(page: Page): Promise<string> {
    const answer = await page.request.post("/api/survey/orders", { data: { flow: 0, variant: 15, lang: "en" } });
    expect(answer.ok()).toBe(true);
    return ((await answer.json()) as { orderid: string }).orderid;
  }

  test("is linked on the payment page, once, and reported", async ({ page, context }) => {
    await join(context);
    const order = await survey(page);
    await page.goto("/en/");
    await page.evaluate(([key, value]) => localStorage.setItem(key as string, value as string), [ORDER, order]);
    const asked = calls(page, /specialprogram/);
    await page.goto("/en/payment/monthly/");
    await expect(summary(page)).toBeVisible();
    await expect.poll(() => pushed(page, "id-update")).toBe(1);
    expect(asked.map((request) => [new URL(request.url()).pathname, request.postDataJSON().orderid])).toEqual([
      ["/specialprogram/idupdate", order],
    ]);
  });

  test("is reported as paid once by the page after a payment, and removed", async ({ page, context }) => {
    const member = await join(context);
    const order = await survey(page);
    await page.goto("/en/");
    await page.evaluate(([key, value]) => localStorage.setItem(key as string, value as string), [ORDER, order]);
    const asked = calls(page, /specialprogram\/payment/);
    await page.goto("/en/almost-done/");
    await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), ORDER)).toBeNull();
    await page.reload();
    await alive(footer(page).getByRole("button").first());
    expect(asked.map((request) => request.postDataJSON())).toEqual([
      { orderid: order, customerid: "follow-up", status: 1, email: member.email },
    ]);
  });
});
