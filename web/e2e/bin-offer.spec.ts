import { join } from "./member.ts";
import { alive, expect, expectAccessible, test, visit } from "./stillpoint.ts";

const OFFER = "/tr/offers/TEB40/";

test("whoever has a card of the bank goes on to pay the lower price", async ({ page }) => {
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
  // Nobody is signed in: paying begins with an account.
  await expect(page).toHaveURL(/\/tr\/signup\/\?redirectPage=.*payment.*teb40/);
});

test("whoever has another card is led to the free trial", async ({ page }) => {
  await visit(page, OFFER);
  const check = page.getByRole("button", { name: "Sorgulayın" });
  await alive(check);
  await page.getByLabel("Kartınızın ilk haneleri").fill("424242");
  await check.click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Bu kart teklife dâhil değil");
  await expectAccessible(page);
  await dialog.getByRole("button").click();
  await expect(page).toHaveURL(/\/tr\/offers\/free-trial\/$/);
});

for (const [offer, price] of [
  ["Turkcell", "₺799.99"],
  ["cDC25", "₺749.99"],
] as const) {
  test(`the offer ${offer} is paid at the price it shows, wherever it is read`, async ({ page, context }) => {
    await join(context);
    await visit(page, `/en/offers/${offer}/`);
    await expect(page.getByRole("main").getByText(price, { exact: false }).first()).toBeVisible();
    await page.getByRole("link", { name: "Choose annual" }).click();
    await expect(page).toHaveURL(new RegExp(`/en/payment/${offer.toLowerCase()}/$`));
    await expect(page.getByRole("region", { name: "Order summary" })).toContainText(price);
  });
}
