import type { Page } from "@playwright/test";
import { alive, expect, expectAccessible, test, visit } from "./stillpoint.ts";

/** Blocks that move, play or ask, one at a time as the gallery shows them. */

const PHONE_WIDTH = 768;

async function gallery(page: Page, kind: string, locale = "en") {
  await visit(page, `/${locale}/gallery/${kind}/`);
}

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < PHONE_WIDTH;

test("a person chooses a tab by mouse and by keyboard", async ({ page }) => {
  await gallery(page, "Tabs");
  const tabs = page.getByRole("tablist", { name: "What helps, and when" }).getByRole("tab");
  await alive(tabs.first());
  await tabs.filter({ hasText: "Focus" }).click();
  await expect(page.getByRole("tabpanel").getByRole("heading")).toHaveText("Begin the hard thing");
  await page.keyboard.press("ArrowRight");
  await expect(tabs.filter({ hasText: "Sleep" })).toBeFocused();
  await expect(page.getByRole("tabpanel").getByRole("heading")).toHaveText("Fall asleep without trying");
});

for (const locale of ["en", "ar"] as const) {
  test(`a person goes round the experts in ${locale}`, async ({ page }) => {
    test.skip(isPhone(page), "on phones one swipes");
    await gallery(page, "Experts", locale);
    const slides = page.getByRole("region").getByRole("article");
    const arrows = page.getByRole("region").getByRole("button");
    await alive(arrows.first());
    await expect(slides.first()).toBeInViewport({ ratio: 0.6 });
    await arrows.first().click();
    await expect(slides.last()).toBeInViewport({ ratio: 0.6 });
    await arrows.last().click();
    await expect(slides.first()).toBeInViewport({ ratio: 0.6 });
  });
}

test("a person listens, jumps, seeks and goes on where they stopped", async ({ page }) => {
  await gallery(page, "MeditationPlayer");
  const at = () => page.locator("audio").evaluate((audio: HTMLAudioElement) => audio.currentTime);
  const bar = page.getByRole("slider", { name: "Position" });
  await alive(bar);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await expect.poll(at).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Pause", exact: true }).click();

  const box = await bar.boundingBox();
  await bar.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 } });
  await expect.poll(at).toBeGreaterThan(30);
  expect(await at()).toBeLessThan(34);
  const before = await at();
  await page.getByRole("button", { name: "Forward 15 seconds" }).click();
  expect(Math.round((await at()) - before)).toBe(15);
  await bar.focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(at).toBeLessThan(before + 15);
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await page.keyboard.press("Space");

  await page.reload();
  await alive(bar);
  await expect.poll(at).toBeGreaterThan(40);
});

test("a person watches a film in a dialog and closes it", async ({ page }) => {
  await page.route("**/*.mp4", (route) => route.fulfill({ status: 200, contentType: "video/mp4", body: "" }));
  await gallery(page, "JapaneseHero");
  const open = page.getByRole("button", { name: "Watch the film" });
  await alive(open);
  await expect(page.locator("video")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "See all of them" })).toBeVisible();
  await page.getByRole("tab", { name: "Brave" }).click();
  await expect(page.getByRole("button", { name: "See all of them" })).toHaveCount(0);
  await expectAccessible(page);
});

test("a person ticks both boxes before the button opens", async ({ page }) => {
  await gallery(page, "AppDownloadBox");
  const boxes = page.getByRole("checkbox");
  await alive(boxes.first());
  await expect(page.getByRole("timer")).toHaveText(/^(10:00|09:5\d)$/);
  await boxes.first().check();
  await boxes.last().check();
  await expect(page.getByRole("link", { name: /Go to the app/ })).toBeVisible();
});

test.describe("the AI text page", () => {
  test("says what comes as it comes", async ({ page }) => {
    const asked: (string | null)[] = [];
    await page.route("**/v1/external/chats/ai", async (route) => {
      asked.push(await route.request().headerValue("last-event-id"));
      await route.fulfill({
        contentType: "text/event-stream",
        body: "id: 1\ndata: You are\n\nid: 2\ndata:  seen.\n\nevent: done\ndata: .\n\n",
      });
    });
    await gallery(page, "AiText");
    const ask = page.getByRole("button", { name: "Write my text" });
    await alive(ask);
    await page.getByRole("textbox").fill("We were walking home");
    await ask.click();
    await expect(page.getByRole("region", { name: "The reply" })).toContainText("You are seen.");
    await expect(page.getByRole("heading", { name: "Want to go on?" })).toBeVisible();
    expect(asked).toEqual([null]);
    await expectAccessible(page);
  });

  test.describe("without an answer", () => {
    test.use({ expected: /status of 404|ended early/ });

    test("says so", async ({ page }) => {
      await page.route("**/v1/external/chats/ai", (route) => route.fulfill({ status: 404, body: "" }));
      await gallery(page, "AiText");
      const ask = page.getByRole("button", { name: "Write my text" });
      await alive(ask);
      await page.getByRole("textbox").fill("Anybody there?");
      await ask.click();
      await expect(page.getByRole("alert")).toContainText("No reply arrived");
      await expectAccessible(page);
    });
  });
});

test("a scroll-through stands still beside its words from 768 pixels on", async ({ page }) => {
  await gallery(page, "ScrollThrough");
  const stage = page.locator(".scroll-through-stage");
  await page.setViewportSize({ width: 767, height: 900 });
  await expect(stage).toBeHidden();
  await page.setViewportSize({ width: 768, height: 900 });
  await expect(stage).toBeVisible();
  await expect(stage).toHaveCSS("position", "sticky");
});

test.describe("where motion is welcome", () => {
  test.use({ contextOptions: { reducedMotion: "no-preference" } });

  test("both pictures of a parallax move, against each other", async ({ page }) => {
    await gallery(page, "ScrollParallax");
    const pictures = page.locator("img.parallax");
    const shift = (index: number) =>
      pictures.nth(index).evaluate((picture) => new DOMMatrix(getComputedStyle(picture).transform).m42);
    await page.evaluate(() => document.body.style.setProperty("padding-block", "100vh"));
    await page.mouse.wheel(0, 300);
    await expect.poll(() => shift(0)).not.toBe(0);
    expect(Math.round(await shift(0))).toBe(-Math.round(await shift(1)));
  });

  test("a carousel moves on by itself until it is stopped", async ({ page }) => {
    test.slow();
    await gallery(page, "Carousel");
    const stop = page.getByRole("button", { name: "Stop moving by itself" });
    await alive(stop);
    const second = page.getByRole("button", { name: "Show 2 of 3" });
    await expect(second).toHaveAttribute("aria-current", "true", { timeout: 9_000 });
    await stop.click();
    await expect(page.getByRole("button", { name: "Move by itself" })).toBeVisible();
  });
});

test("a block comes to life within two seconds of idleness, wherever it stands", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 400 });
  await gallery(page, "Picture");
  const link = page.getByRole("link", { name: "Water in the evening" });
  await expect(link).not.toBeInViewport();
  await alive(link);
});
