import type { Page } from "@playwright/test";
import { openKind } from "../support/gallery.ts";
import { alive, expect, expectAccessible, test, visit } from "../support/stillpoint.ts";

/** Heroes, words, people and small parts, one kind at a time as the gallery shows them. */

const block = (page: Page, id: string) => page.locator(`[id="${id}"]`);

test.describe("testimonials", () => {
  const dots = (page: Page) => block(page, "words").getByRole("button", { name: /^Show/ });

  test("have arrows where there is a mouse, and are swiped on a phone", async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 812 });
    await openKind(page, "Testimonials");
    await expect(block(page, "words").getByRole("button", { name: /Previous|Next/ })).toHaveCount(0);
    await alive(dots(page).first());
    await block(page, "words")
      .getByRole("list")
      .evaluate((track) => track.scrollBy({ left: track.clientWidth }));
    await expect(dots(page).nth(1)).toHaveAttribute("aria-current", "true");
    await page.setViewportSize({ width: 1280, height: 812 });
    await expect(block(page, "words").getByRole("button", { name: /Previous|Next/ })).toHaveCount(2);
  });
});

test.describe("questions without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("open all the same", async ({ page }) => {
    const answer = page.getByText("Everybody wanders off.");
    await page.goto("/en/gallery/Accordion/");
    await expect(answer).toBeHidden();
    await page.getByText("Is it hard?", { exact: true }).click();
    await expect(answer).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(answer).toBeHidden();
  });
});

test.describe("what an editor coloured", () => {
  test("is a heading that stays readable in the dark", async ({ page }) => {
    await openKind(page, "Heading");
    const set = page.getByRole("heading", { name: /^Set by hand/ });
    await expect(set).toHaveCSS("color", "rgb(34, 83, 59)");
    await expect(set).toHaveCSS("font-weight", "800");
    await expect(page.getByRole("heading", { name: /^Letters from dusk/ })).toHaveCSS("background-clip", "text");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(set).toHaveCSS("color", "rgb(244, 242, 251)");
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: "light", forcedColors: "active" });
    await expect(page.getByRole("heading", { name: /^Letters from dusk/ })).not.toHaveCSS("color", "rgba(0, 0, 0, 0)");
  });

  test("needs no styles in the page", async ({ page }) => {
    const html = await (await page.request.get("/en/gallery/ButtonRow/")).text();
    expect(html).toContain('<link rel="stylesheet" href="/paint/ink-xffffff_ground-x22533b_width-280.css"');
    expect(html).not.toMatch(/<[^>]+\sstyle="/);
    const sheet = await page.request.get("/paint/ink-xffffff_ground-x22533b_width-280.css");
    expect(sheet.headers()["content-type"]).toContain("text/css");
    expect((await page.request.get("/paint/ink-xffffff}body{.css")).status()).toBe(404);
  });
});

test.describe("where motion is welcome", () => {
  test.use({ contextOptions: { reducedMotion: "no-preference" } });

  test("the content of a hero rises by 50 pixels after 2500 milliseconds, for as long", async ({ page }) => {
    await page.goto("/en/gallery/Hero/");
    const rising = page.locator("[data-fade-offset='50'][data-fade-delay='2500'][data-fade-duration='2500']");
    const movement = () =>
      rising.evaluate((part) => {
        const effect = part.getAnimations()[0]?.effect as KeyframeEffect | undefined;
        const { delay, duration } = effect?.getTiming() ?? {};
        return { delay, duration, from: effect?.getKeyframes()[0]?.transform };
      });
    await expect.poll(movement).toEqual({ delay: 2_500, duration: 2_500, from: "translateY(50px)" });
  });

  test("trainers glide past each other until they are stopped", async ({ page }) => {
    await visit(page, "/en/gallery/TrainerHero/");
    const columns = block(page, "trainers").locator(".glide");
    const heights = () =>
      columns.evaluateAll((all) => all.map((column) => new DOMMatrix(getComputedStyle(column).transform).m42));
    const pause = block(page, "trainers").getByRole("button", { name: "Pause the animation" });
    await alive(pause);
    const [one = 0, other = 0] = await heights();
    await expect.poll(async () => ((await heights())[0] ?? 0) < one && ((await heights())[1] ?? 0) > other).toBe(true);
    await pause.click();
    await page.mouse.move(0, 0);
    const states = () =>
      columns.evaluateAll((all) => all.flatMap((column) => column.getAnimations().map(({ playState }) => playState)));
    await expect.poll(states).toEqual(["paused", "paused"]);
  });
});

test("where motion is unwelcome nothing is waited for, and every trainer stands still in full", async ({ page }) => {
  await openKind(page, "Hero");
  await expect(block(page, "hero-badge")).toBeVisible();
  await expect(page.locator(".fade-in-up")).toHaveCSS("opacity", "1");
  await openKind(page, "TrainerHero");
  await expect(block(page, "trainers").getByRole("button")).toHaveCount(0);
  const cut = await block(page, "trainers")
    .locator(".trainers")
    .evaluate((all) => all.scrollHeight - all.clientHeight);
  expect(cut).toBeLessThanOrEqual(0);
});

test("the Japanese hero leads to the monsters and stops 150 pixels above them", async ({ page }) => {
  await openKind(page, "JapaneseHero");
  await page.evaluate(() => document.body.style.setProperty("padding-block-end", "200vh"));
  const lead = page.getByRole("button", { name: "See all of them" });
  await alive(lead);
  await lead.click();
  const top = () => block(page, "monsters-alone").evaluate((part) => part.getBoundingClientRect().top);
  await expect.poll(async () => Math.round(await top())).toBe(150);
  await expect(block(page, "monsters-alone")).toBeFocused();
});

test("a question in a dialog can be answered with no, or left", async ({ page }) => {
  await openKind(page, "Parts");
  const button = page.getByRole("button", { name: "Ask: warning" });
  const dialog = page.getByRole("alertdialog", { name: "Cancel this session?" });
  await alive(button);
  await button.click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Keep it" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("No", { exact: true })).toBeVisible();
  await expect(button).toBeFocused();
  await button.click();
  await dialog.getByRole("button", { name: "Cancel the session" }).click();
  await expect(page.getByText("Yes", { exact: true })).toBeVisible();
  await button.click();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("No", { exact: true })).toBeVisible();
});

test("a page that takes its time says that it is on its way", async ({ page }) => {
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\.data(\?|$)/, async (route) => {
    await held;
    await route.continue();
  });
  await openKind(page, "CallToActionBanner");
  const plans = page.getByRole("link", { name: "See the plans" });
  await alive(plans);
  await plans.click();
  await expect(page.getByRole("status").getByText("One moment")).toBeVisible();
  arrive();
  await expect(page).toHaveURL(/\/en\/pricing\/$/);
  await expect(page.getByText("One moment")).toHaveCount(0);
});

test.describe("on a screen of 320 pixels", () => {
  // Without scripts: React would restore the words.
  test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });

  test("every block has room for words two fifths longer", async ({ page }) => {
    await page.goto("/en/gallery/");
    await page.evaluate(lengthen);
    // Until the letters are there, others as wide as they happen to be stand in.
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    expect(await page.evaluate(cutOff)).toEqual([]);
  });
});

/** As a translation may be: the same words and two fifths more of them. */
function lengthen() {
  for (const block of document.querySelectorAll("main [data-block-id]")) {
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode as Text;
      const words = node.data.trim();
      if (words.length > 3) node.data += ` ${words.slice(0, Math.ceil(words.length * 0.4))}`;
    }
  }
}

/** Words that are wider than what holds them, or past the edge of the screen. */
function cutOff(): string[] {
  const scrolls = (node: Element) => Boolean(node.closest(".slider, table"));
  return [...document.querySelectorAll("main [data-block-id] *")]
    .filter((node) => [...node.childNodes].some((child) => child instanceof Text && child.data.trim()))
    .filter((node) => node.checkVisibility() && !scrolls(node) && !node.closest(".sr-only, [aria-hidden=true]"))
    .filter((node) => {
      const { left, right } = node.getBoundingClientRect();
      const isClipped = node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).overflowX !== "visible";
      return isClipped || left < -1 || right > innerWidth + 1;
    })
    .map(
      (node) =>
        `${node.closest("[data-block-id]")?.id}: ${node.tagName.toLowerCase()} "${node.textContent?.slice(0, 40)}"`,
    );
}
