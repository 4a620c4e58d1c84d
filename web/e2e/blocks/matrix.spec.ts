/** Every block × every language × phone and desktop. Each page of the gallery holds all blocks; a fault names its block. */
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { heightsOf, LOCALES, loadEverything, openGallery, RIGHT_TO_LEFT } from "../support/gallery.ts";
import { accessibilityFaults, expect, test } from "../support/stillpoint.ts";

const WIDTHS = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } };
/** Less than half a pixel of one line: what rounding does. */
const NO_SHIFT = 0.0005;

/** One language for each direction. Their pages open on a desktop, too; the others open on a phone and grow. */
const ONE_OF_EACH_DIRECTION = ["en", "ar"];
/** One language for each set of fonts: axe sees their pages in both widths. */
const ONE_OF_EACH_SCRIPT = [...ONE_OF_EACH_DIRECTION, "ru", "ja"];
/** Half of axe's time. Colours are the same in every language: one of each script is enough. */
const CONTRAST = "color-contrast";
/** They load the member or the price from the server, and look different afterwards. */
const PERSONAL = ["payment", "two-col-payment", "one-time-payment", "one-time-addition", "samples-loaded"];

test.describe.configure({ timeout: 300_000 });

for (const locale of LOCALES) {
  test(`every block in ${locale} is accessible, inside the page, and does not shift on a phone`, async ({ page }) => {
    await page.setViewportSize(WIDTHS.phone);
    await openGallery(page, locale);
    await expectInPlace(page, locale);
    await expectNoShifts(page);
    const isOneOfScript = ONE_OF_EACH_SCRIPT.includes(locale);
    await expectNoFaults(page, isOneOfScript ? [] : [CONTRAST]);
    if (ONE_OF_EACH_DIRECTION.includes(locale)) {
      await expectContrastInTheDark(page);
      await expectSameHeightsAsleep(page, locale);
      return;
    }

    await page.setViewportSize(WIDTHS.desktop);
    await loadEverything(page);
    await expectInPlace(page, locale);
    if (isOneOfScript) await expectNoFaults(page);
  });
}

for (const locale of ONE_OF_EACH_DIRECTION) {
  test(`every block in ${locale} is accessible, inside the page, and does not shift on a desktop`, async ({ page }) => {
    await page.setViewportSize(WIDTHS.desktop);
    await openGallery(page, locale);
    await expectInPlace(page, locale);
    await expectNoShifts(page);
    await expectNoFaults(page);
    await expectSameHeightsAsleep(page, locale);
  });
}

async function expectNoFaults(page: Page, skipped: string[] = []) {
  const faults = await accessibilityFaults(page, undefined, skipped);
  expect.soft(faults, `accessibility at ${page.viewportSize()?.width}`).toEqual([]);
}

async function expectContrastInTheDark(page: Page) {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => matchMedia("(prefers-color-scheme: dark)").matches);
  // Colours begin to change with the next frame. A check before it would not wait for them.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  expect.soft(await accessibilityFaults(page, [CONTRAST]), "contrast in the dark").toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

async function expectInPlace(page: Page, locale: string) {
  const dir = RIGHT_TO_LEFT.includes(locale) ? "rtl" : "ltr";
  const width = page.viewportSize()?.width;
  expect.soft(await page.evaluate(astray, { locale, dir }), `language and direction at ${width}`).toEqual([]);
  expect.soft(await page.evaluate(overflowing), `past the edge of the page at ${width}`).toEqual([]);
}

async function expectNoShifts(page: Page) {
  const shifts = await page.evaluate(() => window.shifts);
  const visible = shifts.filter(({ value }) => value > NO_SHIFT);
  expect.soft(visible, "shifts without input").toEqual([]);
}

/** Each block is as high before hydration as after it. */
async function expectSameHeightsAsleep(page: Page, locale: string) {
  const heights = Object.fromEntries(await heightsOf(page));
  for (const id of PERSONAL) delete heights[id];
  const [browser, baseURL] = [page.context().browser() as Browser, new URL(page.url()).origin];
  const asleep = await heightsAsleep(browser, locale, { baseURL, viewport: page.viewportSize() });
  expect.soft(asleep, "heights before hydration").toMatchObject(heights);
}

async function heightsAsleep(browser: Browser, locale: string, options: BrowserContextOptions) {
  const context = await browser.newContext({ ...options, javaScriptEnabled: false, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(`/${locale}/gallery/`, { waitUntil: "networkidle" });
  // For browsers that run no scripts at all; a page that is about to wake shows none of it.
  await page.evaluate(() => {
    for (const other of document.querySelectorAll("noscript")) other.hidden = true;
    // A style sheet shows these by `scripting: none`, or hides them by it.
    for (const whole of document.querySelectorAll<HTMLElement>(".survey-whole")) whole.style.display = "none";
    for (const begin of document.querySelectorAll<HTMLElement>(".survey-begin")) begin.style.display = "block";
  });
  const heights = Object.fromEntries(await heightsOf(page));
  await context.close();
  return heights;
}

function astray({ locale, dir }: { locale: string; dir: string }): string[] {
  const { documentElement: root } = document;
  const faults = root.lang === locale && root.dir === dir ? [] : [`the page is ${root.lang} ${root.dir}`];
  for (const block of document.querySelectorAll("main [data-block-id]")) {
    const { direction } = getComputedStyle(block);
    if (direction !== dir) faults.push(`${block.id} runs ${direction}`);
  }
  return faults;
}

/** What is read or touched must be on the page; a scroller may be longer than it, and a drawing may be cut. */
function overflowing(): string[] {
  const { clientWidth: width, scrollWidth } = document.documentElement;
  const faults = new Set<string>();
  if (scrollWidth > width) faults.add(`the page is ${scrollWidth} pixels wide`);

  const scrolls = (node: Element) => /auto|scroll/.test(getComputedStyle(node).overflowX) && node.clientWidth <= width;
  const isInScroller = (node: Element) => {
    for (let at = node.parentElement; at; at = at.parentElement) if (scrolls(at)) return true;
    return false;
  };
  const matters = (node: Element) =>
    node.matches("a, button, input, select, textarea, img, video, iframe") ||
    [...node.childNodes].some((child) => child instanceof Text && child.data.trim());

  for (const block of document.querySelectorAll("main [data-block-id]")) {
    for (const node of block.querySelectorAll("*")) {
      if (!matters(node) || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const { left, right, width: wide } = node.getBoundingClientRect();
      const isOutside = left < -1 || right > width + 1;
      if (wide > 1 && isOutside && !node.closest("[aria-hidden=true]") && !isInScroller(node)) {
        faults.add(
          `${block.id}: <${node.tagName.toLowerCase()}> ${Math.round(left)}…${Math.round(right)} "${node.textContent?.slice(0, 40)}"`,
        );
      }
    }
  }
  return [...faults];
}
