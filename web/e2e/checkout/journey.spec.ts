import { Buyer, cards } from "../support/buyer.ts";
import { countOf, findEvent, subscriptionsOf } from "../support/outside.ts";
import { all, desktop, smoke } from "../support/passes.ts";
import { alive, expect, expectAccessible, test, visit } from "../support/stillpoint.ts";

const ACTIVATED = "stillpoint.checkout.subscription.activated";

test(
  "a visitor chooses a plan, signs up and pays; the subscription is active and its event emitted",
  all(smoke, desktop("the plans side by side, the summary beside the form")),
  async ({ page }) => {
    const activatedBefore = await countOf(page.request, ACTIVATED);
    const buyer = new Buyer(page);
    await buyer.choose("Monthly");

    await buyer.seesTotal("$12.99");
    await expectAccessible(page);
    await buyer.fillIn(cards.good);
    await buyer.submit();
    await buyer.arrives();

    const [subscription, ...others] = await subscriptionsOf(page.request);
    expect(others).toEqual([]);
    expect(subscription).toMatchObject({ product: "premium", status: "active", price: 12.99, currency: "USD" });

    const event = await findEvent(ACTIVATED, ({ data }) => data.subscriptionId === subscription?.subscription_id);
    expect(event.data).toMatchObject({ product: "premium", provider: "stripe", orderId: subscription?.order_id });
    await expect.poll(() => countOf(page.request, ACTIVATED)).toBeGreaterThan(activatedBefore);
  },
);

test("the annual plan begins with a free week", async ({ page }) => {
  const buyer = new Buyer(page);
  await buyer.choose("Annual");

  await buyer.seesTotal("$0");
  await expectAccessible(page);
  await buyer.fillIn(cards.good);
  await buyer.submit();
  await buyer.arrives();
  expect(await subscriptionsOf(page.request)).toMatchObject([{ status: "trialing", trial_days: 7, price: 69.99 }]);
});

test("a member who comes back to the payment page is not asked to sign up again", async ({ page }) => {
  const buyer = new Buyer(page);
  await buyer.opens();
  await visit(page, "/en/payment/monthly/");
  await buyer.seesTotal("$12.99");
});

test("a member in therapy is led from a payment page to the welcome page, and never sees a form", async ({ page }) => {
  const buyer = new Buyer(page);
  await buyer.opens();
  await buyer.seesTotal("$12.99");
  await page.route("/api/auth/session", async (route) => {
    const answer = await route.fetch();
    const { user, ...session } = await answer.json();
    await route.fulfill({ response: answer, json: { ...session, user: { ...user, isTherapyUser: true } } });
  });
  let offers = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/api/web-campaign")) offers += 1;
  });
  await page.goto("/en/payment/monthly/");
  await expect(page).toHaveURL(/\/en\/success\/counseling-welcome\/$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(offers, "offers asked for").toBe(0);
});

test("a form with mistakes names each of them beside its field", async ({ page }) => {
  await visit(page, "/en/signup/");
  const form = page.getByRole("tabpanel");
  const submit = form.getByRole("button", { name: "Create account" });
  // Until hydration the browser validates the form, with messages of its own.
  await alive(submit);
  await submit.click();
  await expect(page.getByRole("alert")).toContainText("Name, E-mail, Password");
  await expect(form.getByLabel("E-mail")).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
});
