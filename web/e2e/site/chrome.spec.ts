import type { Locator, Page } from "@playwright/test";
import { desktop, desktopOnly } from "../support/passes.ts";
import { alive, expect, expectAccessible, footer, livingPage, test } from "../support/stillpoint.ts";

/** The header and the footer, as people with a mouse, a keyboard or a thumb use them. */

const LEAVES_OPEN_MS = 300;
const SHOWS_BUTTON_AFTER_PX = 70;

const banner = (page: Page) => page.getByRole("banner");
const category = (page: Page) => banner(page).getByRole("button", { name: "Programmes", exact: true });
const inPanel = (page: Page) => banner(page).getByRole("link", { name: "Sleep, gently" });
const plain = (page: Page) => banner(page).getByRole("link", { name: "Coaching", exact: true });

async function middleOf(element: Locator) {
  const box = await element.boundingBox();
  if (!box) throw new Error("is not there");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** From now on time goes by only as the test says: a busy machine must not be taken for a slow hand. */
const stopTheClock = async (page: Page) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);

/** Set before any script runs, and gone only if another document takes this one's place. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { stayed: true }));
const stayed = (page: Page) => page.evaluate(() => "stayed" in window);

test.describe("the menu on a wide screen", desktopOnly, () => {
  test("a person hovers over a category and its panel opens, and over an item without one and it closes at once", async ({
    page,
  }) => {
    await livingPage(page);
    for (const name of ["Sign in", "Try free"]) {
      expect((await banner(page).getByRole("link", { name }).boundingBox())?.height, name).toBe(48);
    }
    await expect(inPanel(page)).toBeHidden();
    await category(page).hover();
    await expect(inPanel(page)).toBeVisible();
    await expect(category(page)).toHaveAttribute("aria-expanded", "true");
    await expect(banner(page).getByRole("link", { name: "View all" })).toHaveAttribute("href", "/en/programs/");
    const columns = await inPanel(page).evaluate((link) => {
      const grid = link.closest("[popover]")?.firstElementChild;
      return grid ? getComputedStyle(grid).gridTemplateColumns.split(" ").length : 0;
    });
    const items = await banner(page).getByRole("navigation").getByRole("list").first().locator(":scope > li").count();
    expect(columns).toBe(items <= 5 ? 6 : 7);
    await expectAccessible(page);
    await plain(page).hover();
    await expect(inPanel(page)).toBeHidden({ timeout: LEAVES_OPEN_MS / 2 });
  });

  test("a person leaves for a moment and the panel stays, and for 300 milliseconds and it closes", async ({ page }) => {
    await page.clock.install();
    await livingPage(page);
    await category(page).hover();
    await expect(inPanel(page)).toBeVisible();
    const { x, y } = await middleOf(inPanel(page));
    await stopTheClock(page);
    await page.mouse.move(700, 860);
    await page.clock.runFor(LEAVES_OPEN_MS / 3);
    await page.mouse.move(x, y);
    await page.clock.runFor(LEAVES_OPEN_MS * 2);
    await expect(inPanel(page)).toBeVisible();

    await page.mouse.move(700, 860);
    await page.clock.runFor(LEAVES_OPEN_MS - 1);
    await expect(inPanel(page)).toBeVisible();
    await page.clock.runFor(1);
    await expect(inPanel(page)).toBeHidden();
  });

  test("a person crosses other items on the way down to the panel and it waits for them", async ({ page }) => {
    await page.clock.install();
    await livingPage(page);
    await category(page).hover();
    await expect(inPanel(page)).toBeVisible();
    const [from, to] = [await middleOf(category(page)), await middleOf(plain(page))];
    const rim = (await plain(page).boundingBox())?.x ?? 0;
    await stopTheClock(page);
    await page.mouse.move(rim - 4, from.y + 2);
    await page.mouse.move(rim + 4, from.y + 10);
    await page.clock.runFor(LEAVES_OPEN_MS / 3);
    await expect(inPanel(page)).toBeVisible();
    await page.mouse.move(to.x, from.y + 34);
    await page.mouse.move(to.x, 140);
    await page.clock.runFor(LEAVES_OPEN_MS * 2);
    await expect(inPanel(page)).toBeVisible();
  });

  test("a person presses a category to open it, and again to close it", async ({ page }) => {
    await livingPage(page);
    await category(page).click();
    await expect(inPanel(page)).toBeVisible();
    await category(page).click();
    await expect(inPanel(page)).toBeHidden();
    await category(page).click();
    await page.mouse.click(700, 860);
    await expect(inPanel(page)).toBeHidden();
  });

  test("a person without a mouse opens it, walks through it and comes back", async ({ page }) => {
    await livingPage(page);
    await category(page).focus();
    await page.keyboard.press("Enter");
    await expect(inPanel(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(inPanel(page)).toBeHidden();
    await expect(category(page)).toBeFocused();

    await page.keyboard.press("ArrowDown");
    await expect(banner(page).getByRole("link", { name: "View all" })).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(inPanel(page)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(category(page)).toBeFocused();

    await page.keyboard.press("ArrowRight");
    await expect(plain(page)).toBeFocused();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("End");
    await page.keyboard.press("Tab");
    await expect(plain(page)).toBeFocused();
    await expect(inPanel(page)).toBeHidden();
  });

  test("a person who reads from right to left walks the other way, and the panel is mirrored", async ({ page }) => {
    await livingPage(page, "/ar/");
    const entries = banner(page).getByRole("navigation").locator("[data-entry]");
    await entries.first().focus();
    await page.keyboard.press("ArrowLeft");
    await expect(entries.nth(1)).toBeFocused();
    await entries.first().hover();
    const links = banner(page).locator(":popover-open").getByRole("link");
    const [all, first] = [await middleOf(links.first()), await middleOf(links.nth(1))];
    expect(all.x).toBeGreaterThan(first.x);
  });

  test("a person opens a panel before any script has run", async ({ browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL });
    const page = await context.newPage();
    await page.goto("/en/");
    await category(page).click();
    await expect(inPanel(page)).toBeVisible();
    await context.close();
  });

  test("a person follows a link of the panel without leaving the document", async ({ page }) => {
    await livingPage(page);
    await mark(page);
    await category(page).hover();
    await inPanel(page).click();
    await expect(page).toHaveURL(/\/en\/programs\/sleep\/$/);
    expect(await stayed(page)).toBe(true);
    await expect(inPanel(page)).toBeHidden();
    await expect(category(page)).toHaveAttribute("aria-current", "true");
    await plain(page).click();
    await expect(page).toHaveURL(/\/en\/coaching\/$/);
    await expect(plain(page)).toHaveAttribute("aria-current", "page");
  });
});

test.describe("the menu on a phone", () => {
  const menu = (page: Page) => page.getByRole("dialog", { name: "Main menu" });
  const opener = (page: Page) => banner(page).getByRole("button", { name: "Open menu" });

  async function openMenu(page: Page, path = "/en/") {
    await livingPage(page, path);
    await opener(page).click();
    await expect(menu(page)).toBeVisible();
  }

  test("a person opens it, finds its buttons and the languages at its end, and closes it", async ({ page }) => {
    await openMenu(page);
    await expectAccessible(page);
    await menu(page).getByRole("button", { name: "Close menu" }).click();
    await expect(menu(page)).toBeHidden();
    await expect(opener(page)).toBeFocused();
    await expect(opener(page)).toHaveAttribute("aria-expanded", "false");
    await opener(page).click();
    for (const name of ["Try free", "Sign in"]) await expect(menu(page).getByRole("link", { name })).toBeVisible();
    await menu(page).getByRole("button", { name: "Language: English" }).click();
    await expect(menu(page).getByRole("link", { name: "Türkçe" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(menu(page).getByRole("link", { name: "Türkçe" })).toBeHidden();
    await expect(menu(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(menu(page)).toBeHidden();
  });

  test("a person goes into a category, back, and on to all of it", async ({ page }) => {
    await openMenu(page);
    const programmes = menu(page).getByRole("button", { name: "Programmes" });
    await programmes.click();
    const back = menu(page).getByRole("button", { name: "Back" });
    await expect(back).toBeFocused();
    await expect(programmes).toBeHidden();
    await expect(menu(page).getByRole("link", { name: "Sleep, gently" })).toBeVisible();
    await expectAccessible(page);
    await back.click();
    await expect(programmes).toBeFocused();
    await programmes.click();
    await menu(page).getByRole("link", { name: "View all" }).click();
    await expect(page).toHaveURL(/\/en\/programs\/$/);
    await expect(menu(page)).toBeHidden();
  });

  test("it unlocks the page when the screen grows wide", async ({ page }) => {
    await openMenu(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect(category(page)).toBeVisible();
    await category(page).click();
    await expect(inPanel(page)).toBeVisible();
  });

  test("the button in the bar shows from the 71st pixel on", async ({ page }) => {
    await livingPage(page);
    const button = banner(page).getByRole("link", { name: "Try free" });
    const scrollTo = (pixels: number) => page.evaluate((top) => window.scrollTo({ top, behavior: "instant" }), pixels);
    await expect(button).toBeHidden();
    await scrollTo(SHOWS_BUTTON_AFTER_PX);
    // The scroll event comes before the next frame; React has rendered by the one after.
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
    await expect(button).toBeHidden();
    await scrollTo(SHOWS_BUTTON_AFTER_PX + 1);
    await expect(button).toBeVisible();
    expect((await button.boundingBox())?.height).toBe(48);
    await scrollTo(SHOWS_BUTTON_AFTER_PX);
    await expect(button).toBeHidden();
  });
});

for (const locale of ["en", "ar"]) {
  test(`the languages offered in ${locale} are all in view`, async ({ page }) => {
    await livingPage(page, `/${locale}/`);
    const trigger = footer(page).getByRole("button").last();
    await trigger.click();
    const links = footer(page).locator(":popover-open").getByRole("link");
    await expect(links).toHaveCount(10);
    await expect(links.first()).toBeInViewport({ ratio: 1 });
    await expect(links.last()).toBeInViewport({ ratio: 1 });
    // A link that is half below the bar just now is none too small.
    await page.addStyleTag({ content: "header { position: static !important }" });
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(links.first()).toBeHidden();
    await expect(trigger).toBeFocused();
  });
}

test(
  "nothing in the bar moves when a member is recognised",
  desktop("more links in the bar that could move"),
  async ({ page, isMobile }) => {
    const user = {
      user_id: "u",
      fullName: "Ada Byron",
      email: "a@b.example",
      isCoachingUser: false,
      isTherapyUser: false,
    };
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/auth/session", async (route) => {
      await asked;
      await route.fulfill({ json: { logged_in: true, user } });
    });
    await page.goto("/en/");
    await alive(footer(page).getByRole("button").first());
    const places = () =>
      banner(page).evaluate((bar) =>
        [...bar.querySelectorAll(":scope > div :is(a, button)")]
          .filter((part) => part.checkVisibility() && !/sign in|account/i.test(part.textContent + part.ariaLabel))
          .map((part) => [part.textContent, part.getBoundingClientRect().x]),
      );
    const before = await places();
    answer();
    await expect(banner(page).getByRole("button", { name: "Your account" })).toBeVisible();
    expect(await places()).toEqual(before);
    if (!isMobile) await expect(banner(page).getByRole("link", { name: "Sign in" })).toBeHidden();
    await expectAccessible(page);
  },
);

test("the keyboard starts at the skip link, which leads past the header", desktopOnly, async ({ page }) => {
  await livingPage(page);
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const isInMain = await page.evaluate(() => document.activeElement?.closest("main") !== null);
  expect(isInMain).toBe(true);
});

test("what the keyboard reaches is never hidden below the bar", desktopOnly, async ({ page }) => {
  await livingPage(page);
  const links = page.getByRole("main").getByRole("link");
  await links.last().focus();
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press("Shift+Tab");
    const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? 0);
    expect(top).toBeGreaterThanOrEqual(72);
  }
});
