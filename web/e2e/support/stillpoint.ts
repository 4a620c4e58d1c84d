/** Addresses, and the checks of every page: no console error, no foreign request, no axe violation. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import type axe from "axe-core";

export const baseUrl = process.env.BASE_URL ?? "http://localhost:8080";
export const sandboxUrl = process.env.SANDBOX_URL ?? "http://localhost:8090";

/** Minified: every checked page parses it again. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface Watch {
  /** A console error that the test expects, such as the browser's line about a missing page. */
  expected: RegExp | null;
  /** An external address that the test expects, such as a film. */
  abroad: RegExp | null;
  faults: string[];
}

/** Fails on a console error, an uncaught exception, and on a request to anywhere but Stillpoint and its sandbox. */
export const test = base.extend<Watch>({
  expected: [null, { option: true }],
  abroad: [null, { option: true }],
  faults: [
    async ({ page, expected, abroad }, use) => {
      const faults: string[] = [];
      const own = [baseUrl, sandboxUrl].map((url) => new URL(url).origin);
      page.on("pageerror", (error) => faults.push(`uncaught: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error" && !expected?.test(message.text())) {
          faults.push(`console: ${message.text()} (${message.location().url})`);
        }
      });
      page.on("request", (request) => {
        const { protocol, origin } = new URL(request.url());
        if (!protocol.startsWith("http") || own.includes(origin) || abroad?.test(origin)) return;
        faults.push(`foreign request: ${request.url()}`);
      });
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

export async function expectAccessible(page: Page) {
  expect(await accessibilityFaults(page), `accessibility of ${page.url()}`).toEqual([]);
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** The violations axe finds by `rules` without `skipped` ones. In the gallery each one names its block. */
export async function accessibilityFaults(page: Page, rules = WCAG_22_AA, skipped: readonly string[] = []) {
  await page.evaluate(atRest);
  // As an argument: Playwright would parse an expression of this length itself, more than once.
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate((source) => void new Function(source)(), AXE);
  // Reduced within the page: transferring the passed rules takes three times as long.
  const options = { runOnly: rules, rules: Object.fromEntries(skipped.map((rule) => [rule, { enabled: false }])) };
  return page.evaluate(async (options) => {
    const { violations } = await window.axe.run({
      ...options,
      resultTypes: ["violations"],
      preload: false,
      iframes: false,
    });
    const blockOf = (selector: string) => document.querySelector(selector)?.closest("main > article")?.ariaLabel;
    const placeOf = (selector: string) => [blockOf(selector), selector].join(" ").trim();
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      at: nodes.map(({ target }) => placeOf(target.join(" "))),
    }));
  }, options);
}

/** Waits for short animations: a colour in transition has no meaningful contrast. */
async function atRest() {
  const isShort = ({ effect, playState }: Animation) =>
    playState === "running" && Number(effect?.getComputedTiming().endTime) < 1_000;
  const moving = document.getAnimations().filter(isShort);
  await Promise.race([
    Promise.allSettled(moving.map(({ finished }) => finished)),
    new Promise((done) => setTimeout(done, 2_000)),
  ]);
}

/** Pages as this worker has checked them. */
const accessible = new Set<string>();

/** Opens a page and checks it with axe, unless the very same page was checked before. */
export async function visit(page: Page, path: string, status = 200) {
  const response = await page.goto(path);
  expect(response?.status(), path).toBe(status);
  const hash = createHash("sha256")
    .update(await page.evaluate(asShown))
    .digest("hex");
  if (accessible.has(hash)) return;
  await expectAccessible(page);
  accessible.add(hash);
}

/** All that axe's findings on a page just opened depend on; a nonce is another each time. */
function asShown(): string {
  const schemes = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) => matchMedia(query).matches);
  const { outerHTML } = document.documentElement;
  return [innerWidth, innerHeight, scrollX, scrollY, ...schemes, outerHTML.replaceAll(/ nonce="[^"]*"/g, "")].join();
}

const POLL_MS = 50;

/** Waits until React has hydrated this element; the server's HTML looks the same but does not react yet. */
export async function alive(element: Locator) {
  const isHydrated = () => element.evaluate((node) => Object.keys(node).some((key) => key.startsWith("__reactProps")));
  await expect.poll(isHydrated, { intervals: [POLL_MS] }).toBe(true);
}

/** Jumps ahead until `isMet` passes: pages wait ever longer between two requests. The clock must be installed. */
export async function fastForwardUntil(page: Page, isMet: () => Promise<void>) {
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await isMet();
  }).toPass({ intervals: [POLL_MS], timeout: 60_000 });
}

export const footer = (page: Page) => page.getByRole("contentinfo");

/** Opens a page and waits until its header and footer are hydrated. */
export async function livingPage(page: Page, path = "/en/") {
  await visit(page, path);
  await alive(footer(page).getByRole("button").first());
}
