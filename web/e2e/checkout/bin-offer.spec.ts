import { Buyer, cards, cardsOfTheBank } from "../support/buyer.ts";
import { join, statusOf } from "../support/member.ts";
import { all, desktop, smoke } from "../support/passes.ts";
import { alive, expect, expectAccessible, test, visit } from "../support/stillpoint.ts";

const OFFER = "/tr/offers/TEB40/";

test("a card of the bank gets the lower price", all(smoke, desktop("the offer in two columns")), async ({ page }) => {
  await visit(page, OFFER);
  const check = page.getByRole("button", { name: "Sorgulayın" });
  await alive(check);
  await expect(page.getByText("599,99")).toBeHidden();
  await page.getByLabel("Kartınızın ilk haneleri").pressSequentially("4407761234");
  await expect(page.getByLabel("Kartınızın ilk haneleri")).toHaveValue("44077612");

  const asked = page.waitForRequest("**/bincheck");
  await check.click();
  expect((await asked).postDataJSON()).toEqual({ card: "44077612" });
  await expect(page.getByText("599,99").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Ödemeye geçin" }).click();
  // A visitor signs up before paying.
  await expect(page).toHaveURL(/\/tr\/signup\/\?redirectPage=.*payment.*teb40/);
});

test("the bank's price is charged to no other card, whatever was typed before", async ({ page, context }) => {
  const buyer = new Buyer(page);
  await buyer.opens("/en/payment/teb40/");
  await buyer.fillIn(cards.good);
  await page.getByRole("button", { name: "Start free trial" }).click();
  const refusal = page.getByRole("main").getByRole("alert");
  await expect(refusal).toContainText("This price is for cards of the partner bank.");
  await expectAccessible(page);
  expect(await statusOf(context)).not.toContain("trialing");

  await buyer.fillIn(cardsOfTheBank[cards.good] ?? "");
  await page.getByRole("button", { name: "Start free trial" }).click();
  await expect(page).toHaveURL(/\/en\/success-page\//);
  await expect.poll(() => statusOf(context)).toContain("trialing");
});

for (const [offer, price] of [
  ["Turkcell", "₺799.99"],
  ["cDC25", "₺749.99"],
] as const) {
  test(`the offer ${offer} is paid at the price it shows, wherever it is read`, async ({ page, context }) => {
    await join(context);
    await visit(page, `/en/offers/${offer}/`);
    await expect(page.getByRole("main").getByText(price, { exact: false }).first()).toBeVisible();
    const asked = page.waitForRequest("**/api/web-campaign");
    await page.getByRole("link", { name: "Choose annual" }).click();
    const campaign = offer.toLowerCase();
    expect((await asked).postDataJSON()).toMatchObject({ campaign, language: "tr", country: "TR" });
    await expect(page).toHaveURL(new RegExp(`/en/payment/${offer.toLowerCase()}/$`));
    await expect(page.getByRole("region", { name: "Order summary" })).toContainText(price);
  });
}
