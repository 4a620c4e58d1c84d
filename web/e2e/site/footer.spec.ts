import { expect, footer, sandboxUrl, test, visit } from "../support/stillpoint.ts";

/** What stands below every page. */

/** The stack's `MARKETING_BASE_URL`. */
const MARKETING = `${sandboxUrl}/outside/marketing`;

test("Russian visitors find Telegram where others find Instagram and Facebook", async ({ page }) => {
  const network = (name: string) => footer(page).getByRole("link", { name });
  await visit(page, "/ru/");
  await expect(network("Telegram")).toBeVisible();
  for (const name of ["Instagram", "Facebook"]) await expect(network(name)).toHaveCount(0);
  await visit(page, "/en/");
  for (const name of ["Instagram", "Facebook"]) await expect(network(name)).toBeVisible();
  await expect(network("Telegram")).toHaveCount(0);
});

test("the footer shows both stores, the quote and a column for each group", async ({ page }) => {
  await visit(page, "/en/");
  await expect(footer(page).getByRole("link", { name: /App Store|Google Play/ })).toHaveCount(2);
  await expect(footer(page).getByText("there is a still point")).toBeVisible();
  const heads = footer(page).getByRole("navigation").locator(":scope > div > p");
  await expect(heads).toHaveText(["Product", "Company", "Support", "Legal and trust"]);
});

const legal = [
  { locale: "en", country: "US", terms: "/en/terms-and-conditions/", privacy: "/en/privacy-policy/" },
  { locale: "en", country: "DE", terms: "/eu/terms/", privacy: "/eu/privacy-policy/" },
  { locale: "en", country: "GB", terms: "/eu/terms/", privacy: "/eu/privacy-policy/" },
  { locale: "tr", country: "TR", terms: "/tr/terms-and-conditions/", privacy: "/tr/privacy-policy/" },
  { locale: "tr", country: "NL", terms: "/eu/terms/", privacy: "/eu/privacy-policy/" },
  { locale: "ja", country: "JP", terms: "/en/terms-and-conditions/", privacy: "/en/privacy-policy/" },
];

for (const { locale, country, terms, privacy } of legal) {
  test(`readers of ${locale} in ${country} are led to ${terms}`, async ({ page }) => {
    await page.addInitScript((code) => localStorage.setItem("country", code), country);
    await page.goto(`/${locale}/`);
    const links = footer(page)
      .getByRole("list")
      .filter({ has: page.locator('a[href*="terms"]') })
      .getByRole("link");
    await expect(links.first()).toHaveAttribute("href", MARKETING + terms);
    await expect(links.last()).toHaveAttribute("href", MARKETING + privacy);
    await page.goto(`/${locale}/signup/`);
    const inForm = page.getByRole("main").locator('a[href*="privacy-policy"]').first();
    await expect(inForm).toHaveAttribute("href", MARKETING + privacy);
  });
}
