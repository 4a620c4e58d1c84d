import { Buyer, cards } from "../support/buyer.ts";
import { countOf, findEvent, subscriptionsOf } from "../support/outside.ts";
import { all, desktop, smoke } from "../support/passes.ts";
import { expect, expectAccessible, test } from "../support/stillpoint.ts";

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
