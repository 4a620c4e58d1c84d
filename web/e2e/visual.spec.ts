/**
 * How every block looks, against small pictures taken before. `npm run pictures` takes them anew, with the browser that is here; where
 * another one is, nothing is compared: each draws letters and shadows in its own way.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Browser, Locator, Page, TestInfo } from "@playwright/test";
import { openGallery } from "./gallery.ts";
import { difference, shrunk } from "./picture.ts";
import { expect, test } from "./stillpoint.ts";

const KEPT = join(import.meta.dirname, "pictures");
const TAKEN_WITH = join(KEPT, "browser.txt");
/** A word that changed is more than this. */
const UNSEEN = 0.0005;
/** Where between two pixels a block begins hangs on all those above it, and with that where its edges are drawn. */
const NUDGES = ["0.25px", "0.5px", "0.75px"];

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
      const folder = join(KEPT, name);
      if (isRenewed) rmSync(folder, { recursive: true, force: true });

      const faults: string[] = [];
      for (const id of blocks) {
        const block = page.locator(`main > article > [data-block-id="${id}"]`);
        const draw = async () => shrunk(canvas, await block.screenshot({ animations: "disabled" }));
        if (isRenewed) keep(folder, id, await draw());
        else faults.push(...(await faultsOf({ block, draw, canvas, folder, id, info })));
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

function keep(folder: string, id: string, picture: string) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.webp`), picture, "base64");
}

interface Look {
  block: Locator;
  draw: () => Promise<string>;
  canvas: Page;
  folder: string;
  id: string;
  info: TestInfo;
}

async function faultsOf({ block, draw, canvas, folder, id, info }: Look): Promise<string[]> {
  const file = join(folder, `${id}.webp`);
  const here = relative(import.meta.dirname, file);
  if (!readdirSync(folder).includes(`${id}.webp`)) return [`${here} is missing: npm run pictures`];

  const before = readFileSync(file, "base64");
  const drawn = await draw();
  const { changed, marked } = await difference(canvas, before, drawn);
  if (changed <= UNSEEN) return [];
  for (const nudge of NUDGES) {
    await block.evaluate((node: HTMLElement, top) => node.style.setProperty("margin-top", top), nudge);
    const nudged = await difference(canvas, before, await draw());
    if (nudged.changed <= UNSEEN) return [];
  }
  keep(info.outputDir, id, drawn);
  const shown = info.outputPath(`${id}.png`);
  writeFileSync(shown, marked, "base64");
  const where = relative(import.meta.dirname, shown);
  return [`${here}: ${(changed * 100).toFixed(2)} % looks different, see ${where} and the .webp beside it`];
}
