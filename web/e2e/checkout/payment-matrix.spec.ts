import type { BrowserContext, Response } from "@playwright/test";
import { cards } from "../support/buyer.ts";
import { type Form, forms, Visit } from "../support/forms.ts";
import { join, statusOf } from "../support/member.ts";
import { desktop, none } from "../support/passes.ts";
import { expect, expectAccessible, test } from "../support/stillpoint.ts";
import { ageNextOffer, chargesOf, confirmations, hold, intents, listen } from "../support/wire.ts";

/**
 * Every form × every case. The forms are the rows of `support/forms.ts`; a new form is a new row there. All run on a phone, one of each
 * layout also on a desktop, with axe after each message.
 *
 *                       card forms         wallet             PayPal             saved card         YooKassa           Platron
 *   paid                here               matrix, methods    matrix, methods    matrix, additions  matrix, russian    matrix, russian
 *   declined            here               methods            matrix             additions          russian            russian
 *   bank asks: passed   here               methods            -                  matrix             russian            -
 *   bank asks: failed   here               matrix             -                  matrix             matrix             -
 *   expired quote       here               matrix             - (1)              - (1)              - (1)              - (1)
 *   script missing      here               here               methods            here               matrix             -
 *   provider down       here, outage       matrix, outage     matrix, outage     outage             outage             outage
 *   slow                here               matrix             matrix             matrix             outage             russian (2)
 *   closed midway       here               - (3)              methods            matrix             matrix             matrix
 *   two presses         here               matrix             methods            matrix             matrix             matrix
 *   two tabs            here               matrix             matrix             matrix             matrix             matrix
 *   left, or cancelled  -                  methods            methods            -                  russian            russian
 *   lost responses      one-time (4)       - (3)              methods            additions          -                  -
 *
 * `matrix`, `methods`, `outage`: payment-matrix-methods, payment-methods, payment-outage; `additions`, `russian`: one-time-additions,
 * russian-payments.
 * (1) No quote is sent: the provider charges the amount of its open payment until that expires.
 * (2) By a response changed in the browser: the sandbox's Platron redirects only after our server has the payment.
 * (3) A wallet ends in the same calls as a card.
 * (4) For subscriptions: thousands of random losses in `visit.properties.test.ts`.
 *
 * Elsewhere: a guest's empty or wrong fields in one-time, consents in one-time-additions, the bank's first digits in bin-offer, labels of
 * buttons in order, the browser's own buttons in back-navigation.
 */

test.use({ expected: /status of 402|ERR_FAILED/ });

/** Whatever was tried before. Of a guest only the browser's own intents are known. */
async function paidOnce(context: BrowserContext, { has, charges }: Form, email: string | null, opened: Opened) {
  if (email === null) {
    expect(await opened.all()).toMatchObject([{ status: "succeeded" }]);
    return;
  }
  await expect.poll(() => chargesOf(context, email)).toBe(charges);
  await expect.poll(async () => (await statusOf(context)).filter((status) => status !== "incomplete")).toEqual(has);
}

type Opened = ReturnType<typeof intents>;

/** A member, or a visitor where no account is needed. */
async function comesIn(context: BrowserContext, { isForAll }: Form): Promise<string | null> {
  return isForAll ? null : (await join(context)).email;
}

test("an outdated tab says that the plan is owned, and links to it", async ({ page, context }) => {
  const [form] = forms as [Form];
  const email = (await comesIn(context, form)) ?? "";
  const first = new Visit(page, form);
  const second = new Visit(await context.newPage(), form);
  await first.comes();
  await second.comes();
  await second.pays(cards.good);
  await second.arrives();
  await first.pays(cards.another);
  await expect(first.refusal).toContainText("You already have this subscription. Nothing has been charged.");
  await expectAccessible(page);
  await first.refusal.getByRole("link", { name: "Go to my subscription" }).click();
  await expect(page).toHaveURL(/\/en\/account\/$/);
  expect(await chargesOf(context, email)).toBe(1);
});

/** One form of each layout runs on a desktop; the others differ in what they send. */
const LAYOUTS: Record<string, string> = {
  PaymentForm: "notices above the summary beside the form",
  TwoColPaymentForm: "its two columns",
};

for (const form of forms) {
  test.describe(form.name, () => {
    const layout = LAYOUTS[form.name];

    test(
      "goes wrong in every way, and is paid once in the end",
      layout ? desktop(layout) : none,
      async ({ page, context }) => {
        test.slow();
        const visit = new Visit(page, form);
        const opened = intents(context);
        const asked = listen(page);
        let first: Promise<Response> | undefined;
        const orders = () => asked.to(form.opens.by).length;
        const email = await comesIn(context, form);

        await test.step("without the provider's script", async () => {
          await page.route(/\/stripe\.js/, (route) => route.abort());
          await ageNextOffer(page);
          first = page.waitForResponse((response) => response.url().endsWith(form.opens.by));
          await form.comes(page);
          await expect(visit.main.getByText("The secure card form did not load")).toBeVisible();
          await expectAccessible(page);
          await page.unroute(/\/stripe\.js/);
          await visit.main.getByRole("button", { name: "Try again" }).click();
          await visit.isReady();
        });

        await test.step("with a quote that is over", async () => {
          if (form.opens.at === "press") await visit.pays(cards.good);
          expect(await (await first)?.json()).toMatchObject({ code: "QUOTE_EXPIRED" });
          await expect(visit.refusal).toContainText("The price you saw is no longer held");
          await visit.isReady();
          await expectAccessible(page);
        });

        await test.step("with nothing typed", async () => {
          // By now some forms are new, and others keep what was typed.
          await visit.shows();
          await visit.clears();
          const before = orders();
          await visit.button.click();
          await expect(visit.refusal).toContainText("card number is incomplete");
          await expectAccessible(page);
          expect(orders()).toBe(before);
        });

        await test.step("while the provider does not respond", async () => {
          const isProviders = "**/stripe/v1/**";
          await page.route(isProviders, (route) => route.abort());
          await visit.pays(cards.good);
          await expect(visit.refusal).toContainText("issues connecting to our payments provider");
          await page.unroute(isProviders);
        });

        await test.step("with a card that is declined", async () => {
          await visit.pays(cards.declined);
          await expect(visit.refusal).toContainText("Your card was declined");
          await expectAccessible(page);
        });

        await test.step("with a bank that is refused the proof", async () => {
          await visit.pays(cards.asksForProof);
          await visit.answersTheBank("Fail authentication");
          await expect(visit.refusal).toContainText(/authenticat/);
          await expectAccessible(page);
        });

        await test.step("pressed twice while all are slow, and the bank has its proof", async () => {
          const slow = await hold(page, new RegExp(`${form.opens.by}$|/stripe/v1/\\w+/\\w+/confirm$`));
          await visit.button.dblclick();
          await expect(
            visit.main.getByRole("status").filter({ hasText: /Sending your order|Your bank/ }),
          ).toBeVisible();
          await expect(visit.button).toHaveAttribute("aria-disabled", "true");
          await expectAccessible(page);
          slow.release();
          await visit.answersTheBank("Complete authentication");
          await visit.arrives();
          expect(new Set(slow.held).size, slow.held.join()).toBe(slow.held.length);
        });

        await paidOnce(context, form, email, opened);
      },
    );

    test("is left midway, opened twice, and paid once", async ({ page, context }) => {
      test.slow();
      const opened = intents(context);
      const confirmed = confirmations(context);
      const email = await comesIn(context, form);
      const left = new Visit(page, form);
      await left.comes();
      await left.pays(cards.asksForProof);
      await expect(left.bank).toBeVisible();

      const first = new Visit(await context.newPage(), form, left);
      const second = new Visit(await context.newPage(), form, left);
      await page.close();
      await first.comes();
      await second.comes();
      await first.pays(cards.asksForProof);
      await expect(first.bank).toBeVisible();
      // Of its two networks the first is chosen, where the browser is who confirms; the others had none to choose.
      await second.pays(cards.ofTwoNetworks);
      await second.arrives();
      await first.answersTheBank("Complete authentication");
      await first.arrives();
      const chosen = form.has.length === 0 || form.opens.at === "load" ? ["cartes_bancaires"] : [];
      expect(await confirmed.networks()).toEqual([undefined, undefined, ...chosen]);
      await paidOnce(context, form, email, opened);
    });
  });
}
