/** Whether a page stays as it was painted while what it waits for comes. */
import type { Page } from "@playwright/test";
import { alive, expect } from "./stillpoint.ts";

const OFFER = /\/api\/web-campaign(-landing)?$/;

/** The heights of summary and form, and where the footer begins: before the offer is known and the provider's fields are there, and after. */
export async function placesWhileLoading(page: Page, path: string) {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(OFFER, async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(path);
  const form = page.getByRole("main").locator("form");
  await alive(form);
  await page.evaluate(() => document.fonts.ready);
  await expect(form).toHaveAttribute("inert", "");
  const before = await places(page);
  answer();
  await expect(page.frameLocator('iframe[title*="card number" i]').getByRole("textbox")).toBeVisible();
  await expect(form).not.toHaveAttribute("aria-busy");
  const after = await places(page);
  await page.unroute(OFFER);
  return { before, after };
}

function places(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const parts = [...document.querySelectorAll(".checkout-columns > *")];
    const footer = document.querySelector("footer");
    return [...parts.map((part) => part.getBoundingClientRect().height), footer?.getBoundingClientRect().top ?? 0];
  });
}

/** The most that was painted at once so far, by its words. */
export function largestPaint(page: Page): Promise<string | null> {
  return page.evaluate(
    () =>
      new Promise<string | null>((shown) => {
        new PerformanceObserver((list) => {
          const last = list.getEntries().at(-1) as LargestContentfulPaint | undefined;
          shown(last?.element?.textContent ?? null);
        }).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
}

/** One page has taken the other's place. Whatever else moves on the page may go on. */
export function changeIsOver(): boolean {
  const isChange = ({ effect }: Animation) =>
    effect instanceof KeyframeEffect && effect.pseudoElement?.startsWith("::view-transition");
  return !document.getAnimations().some(isChange);
}
