/**
 * How every block looks, against small pictures taken before. `npm run pictures` takes them anew, with the browser that is here; where
 * another one is, nothing is compared: each draws letters and shadows in its own way. `skips.json` tolerates that, and the run's summary
 * counts it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Browser, Locator, Page, TestInfo } from "@playwright/test";
import { openGallery } from "../support/gallery.ts";
import { difference, shrunk } from "../support/picture.ts";
import { expect, test } from "../support/stillpoint.ts";

const PICTURES = join(import.meta.dirname, "../pictures");
const TAKEN_WITH = join(PICTURES, "browser.txt");
/** A word that changed is more than this. */
const UNSEEN = 0.0005;
/** A screen's pixel is this many of the page's or fewer, by `deviceScaleFactor` below. */
const PIXEL = 4;
const TRIES_MAX = 3;
/** To stop animations and hide the caret Playwright changes the style of the whole page twice for each picture; `align` does not. */
const WITHOUT_STYLE = { animations: "allow", caret: "initial" } as const;
const SETTLE_MS = 500;

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 0.5 };
const desktop = { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 0.25 };

// ja and ko are left out: their letters are the system's.
const LOOKS = [
  { name: "phone", locale: "en", use: phone },
  { name: "desktop", locale: "en", use: desktop },
  { name: "right-to-left", locale: "ar", use: desktop },
  { name: "dark", locale: "en", use: { ...phone, colorScheme: "dark" } },
] as const;

// Six hundred pictures; a busy machine takes its time.
test.describe.configure({ timeout: 300_000 });

for (const { name, locale, use } of LOOKS) {
  test.describe(name, () => {
    test.use(use);

    test(`every block looks as it did, ${name}`, async ({ page, context, browser }, info) => {
      const isRenewed = info.config.updateSnapshots === "all";
      if (isRenewed) writeFileSync(TAKEN_WITH, `${majorOf(browser)}\n`);
      skipWithAnother(browser, name);

      await stopTime(page);
      await openGallery(page, locale);
      // Above the screen until it has the focus, and so in the picture of a block that begins there.
      await page.locator(".skip-link").evaluate((link: HTMLElement) => link.style.setProperty("display", "none"));
      const canvas = await context.newPage();
      const blocks = await drawnBlocks(page);
      const folder = join(PICTURES, name);
      if (isRenewed) rmSync(folder, { recursive: true, force: true });

      const faults: string[] = [];
      for (const id of blocks) {
        const block = page.locator(`main > article > [data-block-id="${id}"]`);
        const look = { block, canvas, folder, id, info };
        if (isRenewed) keep(folder, id, await draw(look));
        else faults.push(...(await faultsOf(look)));
      }
      const gone = readdirSync(folder).filter((file) => !blocks.includes(file.replace(/\.webp$/, "")));
      expect([...faults, ...gone.map((file) => `${name}/${file} shows a block that is not there`)]).toEqual([]);
    });
  });
}

function majorOf(browser: Browser): string {
  return `${browser.browserType().name()} ${browser.version().split(".")[0]}`;
}

function skipWithAnother(browser: Browser, look: string) {
  const [here, there] = [majorOf(browser), existsSync(TAKEN_WITH) ? readFileSync(TAKEN_WITH, "utf8").trim() : "none"];
  if (here === there) return;
  const pictures = readdirSync(join(PICTURES, look)).length;
  test.skip(
    true,
    `another browser major: ${pictures} pictures of ${look} were taken with ${there}, this is ${here}. To take them anew: npm run pictures`,
  );
}

/** Countdowns and loaders stay at their beginning. */
async function stopTime(page: Page) {
  await page.clock.setFixedTime("2026-01-05T10:00:00Z");
  await page.addInitScript(() => {
    const soon = window.setTimeout;
    const A_SECOND = 1_000;
    Object.assign(window, {
      setInterval: () => 0,
      setTimeout: (run: TimerHandler, wait = 0, ...rest: unknown[]) => (wait < A_SECOND ? soon(run, wait, ...rest) : 0),
    });
  });
}

/** Some blocks show nothing in some places. */
function drawnBlocks(page: Page): Promise<string[]> {
  return page
    .locator("main > article > [data-block-id]")
    .evaluateAll((blocks) => blocks.filter(({ clientHeight }) => clientHeight > 0).map(({ id }) => id));
}

/**
 * Where between two pixels a block begins would hang on the heights of all above it, and with that how its edges are drawn. What sticks
 * to the screen would be drawn wherever that happens to end. A margin could not move it: it may collapse into another.
 */
function align(block: Locator): Promise<void> {
  return block.evaluate((element: HTMLElement, pixel) => {
    for (const part of element.querySelectorAll<HTMLElement>("*"))
      if (getComputedStyle(part).position === "sticky")
        Object.assign(part.style, { position: "relative", inset: "auto" });
    const past = (element.getBoundingClientRect().top + window.scrollY) % pixel;
    for (const animation of element.getAnimations({ subtree: true })) {
      const isEndless = animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
      if (isEndless) animation.cancel();
      else animation.finish();
    }
    const moved = Number.parseFloat(element.style.top) || 0;
    if (past > 0) Object.assign(element.style, { position: "relative", top: `${moved + pixel - past}px` });
  }, PIXEL);
}

function keep(folder: string, id: string, picture: string) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.webp`), picture, "base64");
}

interface Look {
  block: Locator;
  canvas: Page;
  folder: string;
  id: string;
  info: TestInfo;
}

async function draw({ block, canvas }: Look): Promise<string> {
  await align(block);
  return shrunk(canvas, await block.screenshot(WITHOUT_STYLE));
}

/** What follows the scrolling may still be on its way when it is drawn: a difference counts when it stays. */
async function faultsOf(look: Look): Promise<string[]> {
  for (let tries = 1; tries < TRIES_MAX; tries++) {
    const faults = await faultsNow(look);
    if (faults.length === 0) return [];
    await look.block.page().waitForTimeout(SETTLE_MS);
  }
  return faultsNow(look);
}

async function faultsNow(look: Look): Promise<string[]> {
  const { canvas, folder, id, info } = look;
  const file = join(folder, `${id}.webp`);
  const here = relative(import.meta.dirname, file);
  if (!readdirSync(folder).includes(`${id}.webp`)) return [`${here} is missing: npm run pictures`];

  const drawn = await draw(look);
  const stored = readFileSync(file, "base64");
  const { changed, marked } = await difference(canvas, { stored, drawn, unseen: UNSEEN });
  if (marked === null) return [];
  keep(info.outputDir, id, drawn);
  const shown = info.outputPath(`${id}.png`);
  writeFileSync(shown, marked, "base64");
  const where = relative(import.meta.dirname, shown);
  return [`${here}: ${(changed * 100).toFixed(2)} % looks different, see ${where} and the .webp beside it`];
}
