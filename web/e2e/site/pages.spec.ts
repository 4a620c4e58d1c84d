import type { Page } from "@playwright/test";
import { desktop, none, smoke } from "../support/passes.ts";
import { alive, expect, expectAccessible, test, visit } from "../support/stillpoint.ts";

const homes = [
  { locale: "en", dir: "ltr", monthly: "$12.99", marks: desktop("the navigation in the bar") },
  { locale: "tr", dir: "ltr", monthly: "199,99 ₺", marks: none },
  { locale: "ar", dir: "rtl", monthly: "44.99", marks: desktop("the navigation in the bar, mirrored") },
] as const;

for (const { locale, dir, monthly, marks } of homes) {
  test(`the home page in ${locale} shows everything, before any script has run`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
    const page = await context.newPage();
    const response = await page.goto(`/${locale}/`);

    expect(response?.status()).toBe(200);
    await expect(page.locator("html")).toHaveAttribute("lang", locale);
    await expect(page.locator("html")).toHaveAttribute("dir", dir);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("radio")).toHaveCount(2);
    await expect(page.getByRole("main")).toContainText(monthly);
    await context.close();
  });

  test(`a person reads the home page in ${locale} from top to bottom`, marks, async ({ page, isMobile }) => {
    await visit(page, `/${locale}/`);

    await expect(page.getByRole("heading", { level: 1 })).toBeInViewport();
    if (isMobile) {
      await openTheMenu(page);
    } else {
      await expect(page.getByRole("banner").getByRole("navigation")).toBeVisible();
    }
    await expect(page.getByRole("radio", { checked: true })).toHaveCount(1);

    const question = page.getByRole("main").locator("summary").first();
    const answer = page.getByRole("main").locator("details").first().locator(".prose");
    await expect(answer).toBeHidden();
    await question.click();
    await expect(answer).toBeVisible();

    const stories = page.getByRole("main").getByRole("region").getByRole("listitem");
    expect(await stories.count()).toBeGreaterThan(1);
    await expect(page.getByRole("contentinfo").getByRole("navigation")).toBeVisible();
    await expect(page.getByRole("contentinfo").getByRole("link").first()).toBeVisible();
    await expectAccessible(page);
  });
}

test("a person changes the language, on the marketing site or on this one, which remembers it", async ({ page }) => {
  const footer = page.getByRole("contentinfo");
  await visit(page, "/en/");
  await footer.getByRole("button", { name: "Language: English" }).click();
  const arrived = page.waitForEvent("popup");
  await footer.getByRole("link", { name: "Türkçe" }).click();
  const marketing = await arrived;
  await expect(marketing).toHaveURL(/\/outside\/marketing\/tr\/?$/);
  await marketing.close();

  await page.reload();
  await alive(footer.getByRole("button").first());
  await footer.getByRole("button", { name: "Language: English" }).click();
  await footer.getByRole("link", { name: "日本語" }).click();
  await expect(page).toHaveURL(/\/ja\/$/);
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");

  await page.goto("/");
  await expect(page).toHaveURL(/\/ja\/$/);
});

test("a person is sent to the best language and to the address with a slash", smoke, async ({ request }) => {
  const root = await request.get("/", { maxRedirects: 0, headers: { "accept-language": "tr-TR,tr;q=0.9,en;q=0.5" } });
  expect(root.status()).toBeGreaterThanOrEqual(302);
  expect(root.headers().location).toBe("/tr/");

  const bare = await request.get("/en/signup?utm_source=mail", { maxRedirects: 0 });
  expect(bare.status()).toBe(308);
  expect(bare.headers().location).toBe("/en/signup/?utm_source=mail");
});

test.describe("an address that does not exist", () => {
  test.use({ expected: /status of 404/ });

  test("is answered with a page of ours and status 404", async ({ page }) => {
    await visit(page, "/ar/no-such-page/", 404);
    await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });

  test("is answered in the same way if its path is in another script", async ({ page }) => {
    await visit(page, "/ja/瞑想/", 404);
    await expect(page.locator("html")).toHaveAttribute("lang", "ja");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
});

async function openTheMenu(page: Page) {
  const open = page.getByRole("banner").locator("button[aria-haspopup=dialog]");
  await alive(open);
  await open.click();
  const menu = page.getByRole("dialog");
  await expect(menu.getByRole("navigation")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
}
