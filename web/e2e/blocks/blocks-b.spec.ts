import type { Page } from "@playwright/test";
import { openGallery, openKind } from "../support/gallery.ts";
import { alive, expect, expectAccessible, test, visit } from "../support/stillpoint.ts";

/** Tabs, slides, collections, dialogs and codes, as the gallery shows them. */

/** One of the samples of a kind. */
const sample = (page: Page, id: string) => page.locator(`[data-block-id="${id}"]`);
/** Room to scroll, whatever the block. */
const lengthen = (page: Page) => page.addStyleTag({ content: "body { padding-block: 100vh }" });

test.describe("tabs", () => {
  test("that do not fit come into view when they are chosen", async ({ page }) => {
    await openKind(page, "Tabs");
    const tabs = sample(page, "tabs-many").getByRole("tab");
    await alive(tabs.first());
    await tabs.first().focus();
    await page.keyboard.press("ArrowLeft");
    await expect(tabs.last()).toBeInViewport({ ratio: 0.99 });
    expect(await page.evaluate(() => [window.scrollX, document.documentElement.scrollWidth - innerWidth])).toEqual([
      0, 0,
    ]);
  });

  test("that change by themselves stay as high as they are", async ({ page }) => {
    await openKind(page, "CarouselTabs");
    const block = sample(page, "carousel-tabs-words");
    await alive(block.getByRole("tab").first());
    const height = async () => (await block.boundingBox())?.height;
    const before = await height();
    await block.getByRole("tab", { name: "Together" }).click();
    await expect(block.getByRole("heading", { name: "With somebody" })).toBeVisible();
    await expect(block.getByRole("heading", { name: "For yourself" })).toBeHidden();
    expect(await height()).toBe(before);
  });
});

test.describe("slides", () => {
  test.describe("where motion is welcome", () => {
    test.use({ contextOptions: { reducedMotion: "no-preference" } });

    test("move on every five seconds until they are stopped", async ({ page }) => {
      await page.clock.install();
      await page.goto("/en/gallery/Carousel/");
      const block = sample(page, "carousel");
      const stop = block.getByRole("button", { name: "Stop moving by itself" });
      await alive(stop);
      await page.clock.fastForward(5_000);
      await expect(block.getByRole("button", { name: "Show 2 of 3" })).toHaveAttribute("aria-current", "true");
      await stop.click();
      await expect(block.getByRole("button", { name: "Move by itself" })).toBeVisible();
    });

    test("both pictures of a parallax move, against each other and never by more than themselves", async ({ page }) => {
      await visit(page, "/en/gallery/ScrollParallax/");
      const shifts = () =>
        page.locator("img.parallax").evaluateAll((pictures) =>
          pictures.map((picture) => {
            const moved = new DOMMatrix(getComputedStyle(picture).transform).m42;
            return moved / picture.getBoundingClientRect().height;
          }),
        );
      await lengthen(page);
      // In view, and not in the middle of it, where nothing would be moved.
      await sample(page, "parallax").evaluate((block) => block.scrollIntoView({ block: "start" }));
      await expect(async () => {
        const [first = 0, second = 0] = await shifts();
        expect(first).not.toBe(0);
        expect(second).toBeCloseTo(-first, 2);
        expect(Math.abs(first)).toBeLessThanOrEqual(1);
      }).toPass({ timeout: 15_000 });
    });
  });
});

test.describe("a scroll-through", () => {
  test("stands still beside its words from 768 pixels on", async ({ page }) => {
    await openKind(page, "ScrollThrough");
    const stage = page.locator(".scroll-through-stage");
    await page.setViewportSize({ width: 767, height: 900 });
    await expect(stage).toBeHidden();
    await page.setViewportSize({ width: 768, height: 900 });
    await expect(stage).toBeVisible();
    await expect(stage).toHaveCSS("position", "sticky");
  });

  test("shows the picture of the words one has come to", async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 700 });
    await openKind(page, "ScrollThrough");
    await alive(page.locator(".scroll-through-stage"));
    const last = page.locator(".scroll-through-stage img").last();
    await expect(last).toHaveCSS("opacity", "0");
    await lengthen(page);
    await page.locator("#return").evaluate((part) => part.scrollIntoView({ block: "center" }));
    await expect(last).toHaveCSS("opacity", "1");
    await expect(last).toBeInViewport({ ratio: 0.9 });
  });
});

test("programmes are a slider of three on phones", async ({ page }) => {
  await openKind(page, "ProgramSamples");
  const block = sample(page, "program-samples");
  const list = block.getByRole("list");
  const cards = block.getByRole("listitem");
  expect(await list.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
  for (const index of [0, 1, 2]) await expect(cards.nth(index)).toBeInViewport({ ratio: 0.99 });
  await expect(cards.nth(3)).not.toBeInViewport({ ratio: 0.2 });
  await list.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  await expect(cards.nth(3)).toBeInViewport({ ratio: 0.99 });
});

test.describe("dialogs", () => {
  test("say why now, and give the focus back", async ({ page }) => {
    await openKind(page, "WhyNowDialog");
    const open = page.getByRole("button", { name: "Why now?" });
    await alive(open);
    await open.click();
    const dialog = page.getByRole("dialog", { name: "Why now is a good time" });
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toBeHidden();
    await expect(open).toBeFocused();
    await open.click();
    await page.mouse.click(5, 5);
    await expect(dialog).toBeHidden();
  });
});

test.describe("on the smallest phone, with the largest letters", () => {
  test.use({ viewport: { width: 320, height: 640 }, expected: /status of (404|502|503)/ });

  test("every block stays within the page", async ({ page }) => {
    await openGallery(page, "en");
    // The gallery's own lists are not under test.
    await page.addStyleTag({ content: "header, nav, main > article > p { display: none }" });
    expect(await page.evaluate(wide)).toEqual([]);
    await page.addStyleTag({ content: "html { font-size: 140% }" });
    expect(await page.evaluate(wide)).toEqual([]);
  });
});

/** The blocks that make the page scroll sideways. */
function wide(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const blocks = [...document.querySelectorAll<HTMLElement>("main > article > [data-block-id]")];
  const found = blocks.filter((block) => block.scrollWidth > clientWidth).map(({ id }) => id);
  return scrollWidth > innerWidth ? [`the page is ${scrollWidth} pixels wide`, ...found] : [];
}
