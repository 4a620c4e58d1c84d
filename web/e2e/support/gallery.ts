/** The gallery in a browser: every block there is, awake, with all its pictures and letters. */
import type { Page } from "@playwright/test";
import { expect } from "./stillpoint.ts";

export const LOCALES = ["ar", "az", "da", "de", "en", "es", "fr", "it", "ja", "ko", "pl", "pt", "ru", "tr"];
export const RIGHT_TO_LEFT = ["ar"];

/** One shift of what is on the screen, and the blocks that moved. */
export interface Shift {
  value: number;
  moved: string[];
}

declare global {
  interface Window {
    shifts: Shift[];
  }
}

interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

// Asked by the clock, not by the frame: see below.
const TIMEOUT = { timeout: 60_000, polling: 200 };
const IDLE_TIMEOUT = { timeout: 40_000 };
const ATTEMPTS = 3;

/**
 * Opens the gallery and goes through it from top to bottom as a reader does. Only once it is alive and all answers are there: some
 * blocks change with what they load about the visitor, and that is no layout shift of the block.
 */
export async function openGallery(page: Page, locale: string) {
  await page.addInitScript(watchShifts);
  for (let attempt = 1; ; attempt += 1) {
    const response = await page.goto(`/${locale}/gallery/`);
    expect(response?.status()).toBe(200);
    await page.waitForFunction(isAwake, null, TIMEOUT);
    const isIdle = await page.waitForLoadState("networkidle", IDLE_TIMEOUT).then(
      () => true,
      () => false,
    );
    if (isIdle && (await page.evaluate(scrollThrough))) break;
    // On a busy machine Chromium sometimes stops drawing or loading a page for good. The page opened anew is complete.
    console.warn(`Chromium stopped drawing or loading /${locale}/gallery/: opened anew`);
    expect(attempt, "times it was not drawn").toBeLessThan(ATTEMPTS);
  }
  await loadEverything(page);
}

/** Waits for all pictures and fonts of the page as wide as it is now. */
export async function loadEverything(page: Page) {
  await page.evaluate(fetchAllPictures);
  await page.waitForFunction(isComplete, null, TIMEOUT);
}

/** Opens the page with every sample of one kind of block. `matrix.spec.ts` has checked them with axe. */
export async function openKind(page: Page, kind: string, locale = "en") {
  const response = await page.goto(`/${locale}/gallery/${kind}/`);
  expect(response?.status()).toBe(200);
}

/** How high each block is. */
export function heightsOf(page: Page): Promise<[string, number][]> {
  return page
    .locator("main > article > [data-block-id]")
    .evaluateAll((blocks) => blocks.map((block) => [block.id, block.getBoundingClientRect().height]));
}

/** Records unexpected layout shifts from the first frame on. An init script. */
export function watchShifts() {
  const nameOf = (node: Node | null) => {
    const element = node instanceof Element ? node : node?.parentElement;
    const block = element?.closest("main > article")?.getAttribute("aria-label") ?? "outside of blocks";
    return `${block} <${element?.tagName.toLowerCase()} class="${element?.getAttribute("class") ?? ""}">`;
  };
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
      if (hadRecentInput) continue;
      const moved = sources.map(
        ({ node, previousRect: was, currentRect: is }) =>
          `${nameOf(node)} from ${was.x},${was.y} ${was.width}×${was.height} to ${is.x},${is.y} ${is.width}×${is.height}`,
      );
      window.shifts.push({ value, moved });
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** False when it is not drawn any more. */
async function scrollThrough(): Promise<boolean> {
  const tooLong = 10_000;
  const painted = () =>
    new Promise<boolean>((done) => {
      // Pictures are taken with the page's own timers stopped.
      AbortSignal.timeout(tooLong).addEventListener("abort", () => done(false));
      requestAnimationFrame(() => setTimeout(done, 0, true));
    });
  const step = innerHeight * 0.8;
  for (let top = 0; top < document.documentElement.scrollHeight; top += step) {
    scrollTo({ top, behavior: "instant" });
    if (!(await painted())) return false;
  }
  scrollTo({ top: 0, behavior: "instant" });
  return painted();
}

/** React has taken over every block. */
function isAwake(): boolean {
  const isTakenOver = (node: Element | null) =>
    !node || Object.keys(node).some((key) => key.startsWith("__reactProps"));
  return [...document.querySelectorAll("main [data-block-id]")].every((block) => isTakenOver(block.firstElementChild));
}

/** What is far to the side would otherwise not be fetched at all. */
function fetchAllPictures() {
  for (const image of document.images) image.loading = "eager";
}

/** Loaded, not decoded: decoding may never finish where Chromium draws nothing. */
function isComplete(): boolean {
  return document.fonts.status === "loaded" && [...document.images].every((image) => image.complete);
}
