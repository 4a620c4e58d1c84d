/** Where Stillpoint runs, and what holds on every page of it. */
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Locator, type Page } from "@playwright/test";

export const baseUrl = process.env.BASE_URL ?? "http://localhost:8080";
const sandboxUrl = process.env.SANDBOX_URL ?? "http://localhost:8090";

const WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface Watch {
  /** A console error that belongs to the story, such as the browser's own line about a missing page. */
  expected: RegExp | null;
  /** An address elsewhere that belongs to the story, such as the film somebody plays. */
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

/** What axe has against the page: against all of it, or by the rules named. In the gallery each fault says its block. */
export async function accessibilityFaults(page: Page, rules?: string[]) {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules(rules) : axe.withTags(WCAG_22_AA)).analyze();
  const found = violations.map(({ id, help, nodes }) => ({ id, help, at: nodes.map((node) => node.target.join(" ")) }));
  return page.evaluate((faults) => {
    const blockOf = (selector: string) => document.querySelector(selector)?.closest("main > article")?.ariaLabel;
    return faults.map((fault) => ({ ...fault, at: fault.at.map((place) => [blockOf(place), place].join(" ").trim()) }));
  }, found);
}

/** Opens a page and looks at it with axe before anything else happens. */
export async function visit(page: Page, path: string, status = 200) {
  const response = await page.goto(path);
  expect(response?.status(), path).toBe(status);
  await expectAccessible(page);
}

/** Waits until React answers for this element; the server's HTML looks the same but does not react yet. */
export async function alive(element: Locator) {
  await expect
    .poll(() => element.evaluate((node) => Object.keys(node).some((key) => key.startsWith("__reactProps"))))
    .toBe(true);
}
