import type { Page } from "@playwright/test";
import { all, desktop, smoke } from "../support/passes.ts";
import { alive, expect, expectAccessible, footer, test } from "../support/stillpoint.ts";

/** The right of withdrawal in the EU: two steps, without signing in. */

const main = (page: Page) => page.getByRole("main");
const field = (page: Page, name: string) => main(page).getByLabel(name);
const button = (page: Page, name: string) => main(page).getByRole("button", { name, exact: true });
const email = () => `ada-${crypto.randomUUID()}@example.org`;

async function open(page: Page, locale = "en") {
  await page.goto(`/${locale}/withdraw/`);
  await alive(main(page).locator("form"));
}

const beyond = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test(
  "a visitor withdraws in two steps by the footer link and gets a receipt",
  all(smoke, desktop("the receipt on paper from a wide page")),
  async ({ page }) => {
    await page.goto("/en/");
    await footer(page).getByRole("link", { name: "Withdraw from a contract" }).click();
    await expect(page).toHaveURL(/\/en\/withdraw\/$/);
    await alive(main(page).locator("form"));
    await expectAccessible(page);

    await button(page, "Withdraw from contract here").click();
    await expect(field(page, "Name")).toBeFocused();
    await expect(main(page).getByText("Please fill this in.")).toHaveCount(2);
    await expectAccessible(page);

    const address = email();
    await field(page, "Name").fill("Ada Quiet");
    await field(page, "E-mail").fill(address);
    await field(page, "Order or receipt number").fill("ord_7");
    await field(page, "Order or receipt number").press("Enter");
    await expect(main(page).getByRole("heading", { name: "One more step" })).toBeFocused();
    await expect(main(page).getByText("I withdraw from my contract with Stillpoint.")).toBeVisible();
    await expectAccessible(page);

    const answered = page.waitForResponse("**/api/withdrawals");
    await button(page, "Confirm withdrawal").click();
    const answer = await answered;
    expect(answer.status()).toBe(202);
    const { id, receivedAt } = (await answer.json()) as { id: string; receivedAt: string };
    expect(answer.request().postDataJSON()).toEqual({
      full_name: "Ada Quiet",
      email: address,
      reference: "ord_7",
      language: "en",
    });
    await expect(main(page).getByRole("heading", { name: "Your withdrawal has arrived" })).toBeFocused();
    await expect(main(page).getByText(id)).toBeVisible();
    await expect(main(page).locator("time")).toHaveAttribute("datetime", receivedAt);
    await expectAccessible(page);

    // On paper: the receipt, and nothing else.
    await page.emulateMedia({ media: "print" });
    await expect(main(page).getByText(id)).toBeVisible();
    await expect(main(page).getByText(address).last()).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toBeHidden();
    await expect(button(page, "Print or save")).toBeHidden();
  },
);

test("the page stays within the screen where it is read from right to left", async ({ page }) => {
  await open(page, "ar");
  await expectAccessible(page);
  await field(page, "الاسم").fill("Ada Quiet");
  await field(page, "البريد الإلكتروني").fill(email());
  await button(page, "الانسحاب من العقد هنا").click();
  await expectAccessible(page);
  expect(await beyond(page)).toBeLessThanOrEqual(0);
  await button(page, "تأكيد الانسحاب").click();
  await expect(main(page).getByRole("heading", { name: "وصل انسحابك" })).toBeFocused();
  await expectAccessible(page);
  expect(await beyond(page)).toBeLessThanOrEqual(0);
});
