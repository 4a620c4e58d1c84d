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

/** Opens the gallery, goes through it from top to bottom as a reader does, and waits until nothing is left to come. */
export async function openGallery(page: Page, locale: string) {
  await page.addInitScript(watchShifts);
  const response = await page.goto(`/${locale}/gallery/`);
  expect(response?.status()).toBe(200);
  await page.evaluate(scrollThrough);
  await page.waitForFunction(isAwake, null, { timeout: 30_000 });
  await page.evaluate(everythingIsThere);
}

function watchShifts() {
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

async function scrollThrough() {
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const step = innerHeight * 0.8;
  for (let top = 0; top < document.documentElement.scrollHeight; top += step) {
    scrollTo({ top, behavior: "instant" });
    await painted();
  }
  scrollTo({ top: 0, behavior: "instant" });
  await painted();
}

/** React has taken over every block. */
function isAwake(): boolean {
  const isTakenOver = (node: Element | null) =>
    !node || Object.keys(node).some((key) => key.startsWith("__reactProps"));
  return [...document.querySelectorAll("main [data-block-id]")].every((block) => isTakenOver(block.firstElementChild));
}

async function everythingIsThere() {
  // What is far to the side would otherwise not be fetched at all.
  for (const image of document.images) image.loading = "eager";
  await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  await document.fonts.ready;
}
