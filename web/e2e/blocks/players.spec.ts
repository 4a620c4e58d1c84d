import type { Locator, Page } from "@playwright/test";
import { openKind } from "../support/gallery.ts";
import { alive, expect, expectAccessible, test, visit } from "../support/stillpoint.ts";

/** Films and recordings, as the gallery shows them. */

/** One of the samples of a kind. */
const sample = (page: Page, id: string) => page.locator(`[data-block-id="${id}"]`);
/** Room to scroll, whatever the block. */
const lengthen = (page: Page) => page.addStyleTag({ content: "body { padding-block: 100vh }" });

test.describe("films", () => {
  const noFilm = (page: Page) => page.route("**/*.mp4", (route) => route.abort());

  test.describe("that play by themselves", () => {
    test.use({
      contextOptions: { reducedMotion: "no-preference" },
      abroad: /media\.stillpoint\.example/,
      expected: /ERR_FAILED/,
    });

    test("begin without sound past a hundred pixels, not before", async ({ page }) => {
      await noFilm(page);
      await page.goto("/en/gallery/VideoPlayer/");
      const block = sample(page, "video");
      await alive(block.getByRole("button", { name: /^Play video/ }));
      await page.addStyleTag({ content: "body { padding-block-end: 200vh }" });
      await page.evaluate(() => window.scrollTo(0, 100));
      await expect(block.getByRole("button", { name: /^Play video/ })).toBeInViewport();
      await expect(block.locator("video")).toHaveCount(0);
      await page.evaluate(() => window.scrollTo(0, 101));
      await expect(block.locator("video")).toHaveJSProperty("muted", true);
    });

    test("are not asked for from a video site", async ({ page }) => {
      await noFilm(page);
      await page.goto("/en/gallery/VideoPlayer/");
      const button = sample(page, "video-plain").getByRole("button", { name: /^Play video/ });
      await alive(button);
      await lengthen(page);
      await button.scrollIntoViewIfNeeded();
      await page.mouse.wheel(0, 10);
      await expect(button).toBeVisible();
    });
  });

  test.describe("that a visitor plays", () => {
    test.use({ abroad: /media\.stillpoint\.example|youtube-nocookie\.com/, expected: /ERR_FAILED/ });

    test("of the panorama is there, and runs", async ({ page }) => {
      await visit(page, "/en/istanbulpanoramasi/");
      const block = page.locator('[data-kind="PromoVideo"]');
      await block.getByRole("button", { name: /^Play video/ }).click();
      const film = block.locator("video");
      await expect(film).toBeFocused();
      await expect(film).toHaveJSProperty("duration", 20);
      await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0);
    });

    test("take over the focus, have captions, and say when they cannot be had", async ({ page }) => {
      await noFilm(page);
      await openKind(page, "VideoPlayer");
      const block = sample(page, "video");
      await alive(block.getByRole("button", { name: /^Play video/ }));
      await block.getByRole("button", { name: /^Play video/ }).click();
      await expect(block.locator("video")).toBeFocused();
      await expect(block.locator("track[kind=captions]")).toHaveAttribute("srclang", "en");
      await expect(block.getByRole("alert")).toContainText("did not load");
      await expectAccessible(page);
    });

    test("of YouTube come from its address without cookies, after the press alone", async ({ page }) => {
      const asked: string[] = [];
      await page.route(/youtube-nocookie\.com/, (route) => {
        asked.push(route.request().url());
        return route.fulfill({ contentType: "text/html", body: "<title>film</title>" });
      });
      await openKind(page, "YoutubeEmbed");
      const play = page.getByRole("button", { name: "Play video: A walk in the park" });
      await alive(play);
      expect(asked).toEqual([]);
      await play.click();
      await expect(page.getByTitle("A walk in the park")).toBeFocused();
      expect(asked).toHaveLength(1);
      expect(asked[0]).toContain("https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ");
    });

    test("in a dialog are there while it is open", async ({ page }) => {
      await noFilm(page);
      await openKind(page, "VideoModal");
      const open = sample(page, "video-modal").getByRole("button", { name: "Watch the film" });
      await alive(open);
      await open.click();
      const dialog = page.getByRole("dialog", { name: "Why we began" });
      await expect(dialog.locator("video")).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await expect(page.locator("video")).toHaveCount(0);
      await expect(open).toBeFocused();
    });
  });
});

test.describe("a recording", () => {
  const timeOf = (block: Locator) => block.locator("audio").evaluate((audio: HTMLAudioElement) => audio.currentTime);
  const button = (block: Locator, name: string) => block.getByRole("button", { name, exact: true });

  test("plays, skips, seeks and resumes", async ({ page }) => {
    await openKind(page, "MeditationPlayer");
    const block = sample(page, "player");
    const at = () => timeOf(block);
    const bar = block.getByRole("slider", { name: "Position" });
    await alive(bar);
    await button(block, "Play").click();
    await expect(button(block, "Pause")).toBeVisible();
    await expect.poll(at).toBeGreaterThan(0);
    await button(block, "Pause").click();

    const box = await bar.boundingBox();
    await bar.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 } });
    await expect.poll(at).toBeGreaterThan(30);
    expect(await at()).toBeLessThan(34);
    const before = await at();
    await block.getByRole("button", { name: "Forward 15 seconds" }).click();
    expect(Math.round((await at()) - before)).toBe(15);
    await block.getByRole("button", { name: "Back 15 seconds" }).click();
    expect(Math.round((await at()) - before)).toBe(0);
    await bar.focus();
    await page.keyboard.press("l");
    await expect.poll(async () => Math.round((await at()) - before)).toBe(15);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(async () => Math.round((await at()) - before)).toBe(10);
    await page.keyboard.press("Space");
    await expect(button(block, "Pause")).toBeVisible();
    await page.keyboard.press("k");
    await expect(button(block, "Play")).toBeVisible();
    const stopped = await at();

    await page.reload();
    await alive(bar);
    await expect.poll(at).toBeGreaterThan(stopped - 2);
  });

  test("whose metadata arrive before the scripts is jumped in and sought all the same", async ({ page }) => {
    const scripts = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto("/en/gallery/MeditationPlayer/", { waitUntil: "commit" });
    const block = sample(page, "player-plain");
    await expect
      .poll(() => block.locator("audio").evaluate((audio: HTMLAudioElement) => audio.readyState))
      .toBeGreaterThan(0);
    scripts.resolve();
    const bar = block.getByRole("slider", { name: "Position" });
    await alive(bar);
    await expect(block.getByText("--:--")).toHaveCount(0);
    await block.getByRole("button", { name: "Forward 15 seconds" }).click();
    expect(await timeOf(block)).toBe(15);
    const box = await bar.boundingBox();
    await bar.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 } });
    const duration = await block.locator("audio").evaluate((audio: HTMLAudioElement) => audio.duration);
    await expect.poll(async () => Math.abs((await timeOf(block)) - duration / 2)).toBeLessThan(3);
  });

  test("plays although play was pressed before the page was alive", async ({ page }) => {
    const scripts = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto("/en/gallery/MeditationPlayer/", { waitUntil: "commit" });
    const block = sample(page, "player");
    await button(block, "Play").click();
    scripts.resolve();
    await expect(button(block, "Pause")).toBeVisible();
    await expect.poll(() => timeOf(block)).toBeGreaterThan(0);
  });

  test("shows what there is to hear", async ({ page }) => {
    await openKind(page, "MeditationPlayer");
    const block = sample(page, "player");
    await alive(button(block, "Play"));
    await button(block, "Play").click();
    await expect(block.getByText("[a bell]")).toBeVisible();
    await expectAccessible(page);
    await block.getByText("Read the words").click();
    await expect(block.getByText("Then only the breath.")).toBeVisible();
  });

  test.describe("that does not come", () => {
    test.use({ expected: /ERR_FAILED/ });

    test("says so, and plays once it is there", async ({ page }) => {
      await page.route("**/audio/*.wav", (route) => route.abort());
      await openKind(page, "MeditationPlayer");
      const block = sample(page, "player");
      await alive(button(block, "Play"));
      await button(block, "Play").click();
      await expect(block.getByRole("alert")).toContainText("did not load");
      await expectAccessible(page);
      await page.unroute("**/audio/*.wav");
      await button(block, "Play").click();
      await expect.poll(() => timeOf(block)).toBeGreaterThan(0);
      await expect(block.getByRole("alert")).toHaveCount(0);
    });
  });
});

test.describe("samples", () => {
  test.use({ expected: /status of (404|502|503)/ });

  test("show details on demand, and play one at a time", async ({ page }) => {
    await openKind(page, "MeditationSampleCollection");
    const block = sample(page, "samples");
    const about = block.getByRole("button", { name: "About Sleep, gently" });
    await alive(about);
    await about.click();
    await expect(page.getByText("For the last half hour of the day.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByText("For the last half hour of the day.")).toBeHidden();
    await block.getByRole("button", { name: "Play Sleep, gently" }).click();
    await expect(block.getByRole("button", { name: "Pause Sleep, gently" })).toBeVisible();
    await block.getByRole("button", { name: "Play Deep focus" }).click();
    await expect(block.getByRole("button", { name: "Pause Deep focus" })).toBeVisible();
    await expect(block.getByRole("button", { name: "Play Sleep, gently" })).toBeVisible();
  });
});
