/** What a first visit brings over the wire, held against the budget of its kind of page. Texts are counted gzipped. */
import { gzipSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";
import { alive, expect, test } from "../support/stillpoint.ts";

const KILOBYTE = 1_000;
// Azerbaijani needs a face of its own for one of its letters: that is what the fonts' budget is made for.
const BUDGET = { script: 150, stylesheet: 20, font: 121, image: 120, total: 450, requests: 48 };

const PAGES = { home: "", landing: "landing/sleep/", article: "articles/how-to-fall-asleep/", pricing: "pricing/" };
/** The one most read, and those with the largest catalogue or the most letters. */
const LOCALES = ["en", "ar", "az", "ru"];

for (const locale of LOCALES) {
  for (const [kind, path] of Object.entries(PAGES)) {
    test(`the ${kind} page in ${locale} is within its budget`, async ({ page }) => {
      const seen: Response[] = [];
      page.on("response", (response) => void seen.push(response));
      await page.goto(`/${locale}/${path}`);
      await alive(page.locator("main [data-block-id] > *").first());
      await readToTheEnd(page);

      const spent = await weigh(seen.filter(isOfThePage));
      const over = Object.entries(BUDGET).filter(([part, most]) => (spent[part] ?? 0) > most);
      expect(over, JSON.stringify(spent)).toEqual([]);
    });
  }
}

/** Answers for the person are not, nor what a player fetches for as long as it plays. */
function isOfThePage(response: Response): boolean {
  const isAnswer = new URL(response.url()).pathname.startsWith("/api/");
  return !isAnswer && response.request().resourceType() !== "media";
}

async function readToTheEnd(page: Page) {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo({ top, behavior: "instant" });
      await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    }
  });
  await page.waitForLoadState("networkidle");
}

async function weigh(responses: Response[]): Promise<Record<string, number>> {
  const spent: Record<string, number> = { total: 0, requests: responses.length };
  for (const response of responses) {
    const part = response.request().resourceType();
    const weight = (await weightOf(response)) / KILOBYTE;
    spent[part] = (spent[part] ?? 0) + weight;
    spent.total = (spent.total ?? 0) + weight;
  }
  return Object.fromEntries(Object.entries(spent).map(([part, weight]) => [part, Math.round(weight * 10) / 10]));
}

async function weightOf(response: Response): Promise<number> {
  const body = await response.body();
  const isText = /text|javascript|json|svg/.test(response.headers()["content-type"] ?? "");
  return (isText ? gzipSync(body, { level: 9 }) : body).byteLength;
}
