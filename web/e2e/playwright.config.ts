import { defineConfig } from "@playwright/test";
import { desktop, phone } from "./support/screens.ts";
import { baseUrl } from "./support/stillpoint.ts";

/** Every block and its look: each test chooses its own screen. */
const gallery = ["blocks/matrix.spec.ts", "blocks/visual.spec.ts"];
/** Takes away what all other journeys need: `last.config.ts` runs these after all others. */
export const last = { outage: "checkout/payment-outage.spec.ts", operations: "site/operations.spec.ts" };
const crawl = "site/crawl.spec.ts";
const weight = "site/weight.spec.ts";
const withProjectOfTheirOwn = [...Object.values(last), crawl, weight, ...gallery];

/** Set in the run against one process: only journeys marked `smoke` run. The run with a process per service runs all. */
export const isSmoke = Boolean(process.env.SMOKE);

/** More executions than this cost too much: mark fewer tests `desktop`, or test in vitest. */
const EXECUTIONS_MAX = 350;

const everything = [
  // The longest test of all, one after the other: it starts first.
  { name: "crawl", testMatch: crawl, fullyParallel: false },
  { name: "gallery", testMatch: gallery },
  { name: "phone", testIgnore: withProjectOfTheirOwn, grepInvert: /@desktop-only/, use: phone },
  { name: "desktop", testIgnore: withProjectOfTheirOwn, grep: /@desktop/, use: desktop },
  // Pictures are as large as a phone's screen asks for.
  { name: "weight", testMatch: weight, use: { ...phone, deviceScaleFactor: 2 } },
];
const smoke = [{ name: "phone", testIgnore: withProjectOfTheirOwn, grep: /@smoke/, use: phone }];

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  outputDir: ".output",
  fullyParallel: true,
  workers: 2,
  // Headless Chromium sometimes stops drawing a page on a busy machine; the retry runs in a new browser. A test that passes only
  // then fails the run all the same, unless `flaky.json` tolerates it (`report/reporter.ts`).
  retries: 1,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // A test writes no reference; `npm run pictures` does.
  updateSnapshots: "none",
  reporter: [["list"], ["./report/reporter.ts", { executionsMax: EXECUTIONS_MAX }]],
  use: {
    baseURL: baseUrl,
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    locale: "en-US",
    contextOptions: { reducedMotion: "reduce" },
    // To record costs processor time, and nearly every recording is thrown away.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_BIN ?? "/usr/bin/chromium-headless-shell",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        // Letters where they belong, not at whole pixels: as the browser with windows draws them.
        "--font-render-hinting=none",
      ],
    },
  },
  projects: isSmoke ? smoke : everything,
});
