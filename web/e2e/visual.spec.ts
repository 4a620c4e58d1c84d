/**
 * How every block looks, against small pictures taken before. `npm run pictures` takes them anew, with the browser that is here; where
 * another one is, nothing is compared: each draws letters and shadows in its own way.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Browser, Page, TestInfo } from "@playwright/test";
import { openGallery } from "./gallery.ts";
import { difference, shrunk } from "./picture.ts";
import { expect, test } from "./stillpoint.ts";

const KEPT = join(import.meta.dirname, "pictures");
const TAKEN_WITH = join(KEPT, "browser.txt");
/** A word that changed is more than this. */
const UNSEEN = 0.0005;
/** A screen's pixel is this many of the page's or fewer, by `deviceScaleFactor` below. */
const PIXEL = 4;

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
      skipWithAnother(browser);

      await stopTime(page);
      await openGallery(page, locale);
      const canvas = await context.newPage();
      const blocks = await drawnBlocks(page);
      await alignBlocks(page);
      const folder = join(KEPT, name);
      if (isRenewed) rmSync(folder, { recursive: true, force: true });

      const faults: string[] = [];
      for (const id of blocks) {
        const block = page.locator(`main > article > [data-block-id="${id}"]`);
        const drawn = await shrunk(canvas, await block.screenshot({ animations: "disabled" }));
        if (isRenewed) keep(folder, id, drawn);
        else faults.push(...(await faultsOf({ drawn, canvas, folder, id, info })));
      }
      const gone = readdirSync(folder).filter((file) => !blocks.includes(file.replace(/\.webp$/, "")));
      expect([...faults, ...gone.map((file) => `${name}/${file} shows a block that is not there`)]).toEqual([]);
    });
  });
}

function majorOf(browser: Browser): string {
  return `${browser.browserType().name()} ${browser.version().split(".")[0]}`;
}

function skipWithAnother(browser: Browser) {
  const [here, there] = [majorOf(browser), existsSync(TAKEN_WITH) ? readFileSync(TAKEN_WITH, "utf8").trim() : "none"];
  if (here === there) return;
  const reason = `Nothing is compared: the pictures were taken with ${there}, this is ${here}. To take them anew: npm run pictures`;
  // The list of tests does not say why one is skipped.
  console.warn(reason);
  test.skip(true, reason);
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
 * to the screen would be drawn wherever that happens to end.
 */
function alignBlocks(page: Page): Promise<void> {
  return page.locator("main > article > [data-block-id]").evaluateAll((blocks, pixel) => {
    for (const block of blocks) {
      for (const part of block.querySelectorAll<HTMLElement>("*"))
        if (getComputedStyle(part).position === "sticky")
          Object.assign(part.style, { position: "relative", inset: "auto" });
      const past = (block.getBoundingClientRect().top + window.scrollY) % pixel;
      const margin = Number.parseFloat(getComputedStyle(block).marginTop);
      if (past > 0) (block as HTMLElement).style.marginTop = `${margin + pixel - past}px`;
    }
  }, PIXEL);
}

function keep(folder: string, id: string, picture: string) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.webp`), picture, "base64");
}

interface Look {
  drawn: string;
  canvas: Page;
  folder: string;
  id: string;
  info: TestInfo;
}

async function faultsOf({ drawn, canvas, folder, id, info }: Look): Promise<string[]> {
  const file = join(folder, `${id}.webp`);
  const here = relative(import.meta.dirname, file);
  if (!readdirSync(folder).includes(`${id}.webp`)) return [`${here} is missing: npm run pictures`];

  const { changed, marked } = await difference(canvas, readFileSync(file, "base64"), drawn);
  if (changed <= UNSEEN) return [];
  keep(info.outputDir, id, drawn);
  const shown = info.outputPath(`${id}.png`);
  writeFileSync(shown, marked, "base64");
  const where = relative(import.meta.dirname, shown);
  return [`${here}: ${(changed * 100).toFixed(2)} % looks different, see ${where} and the .webp beside it`];
}
