import { defineConfig } from "@playwright/test";
import { baseUrl } from "./stillpoint.ts";

/** Tests that bring a screen of their own, and those that any screen will do for: once, beside those on a phone. */
const ONE_SCREEN = /@(own|any)-screen/;
/** As the files of `sameEitherWay`, where the rest of a file is tried both ways. */
const EITHER_WAY = /@either-way/;

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
export const desktop = { viewport: { width: 1440, height: 900 } };

/** Every block and its look: each chooses its own screen. */
const gallery = ["matrix.spec.ts", "visual.spec.ts"];
/** Takes away from everybody what they need: `last.config.ts` runs it when all others are done. */
export const last = { outage: "payment-outage.spec.ts", operations: "operations.spec.ts" };
/** What needs no screen, or has to wait for the others. */
const apart = [...Object.values(last), "crawl.spec.ts", "weight.spec.ts", ...gallery];
/** What the browser or the site's content alone decides: the same whichever way the services run. */
const sameEitherWay = [
  "blocks*.spec.ts",
  "chrome.spec.ts",
  "crawl.spec.ts",
  "footer.spec.ts",
  "players.spec.ts",
  "weight.spec.ts",
  ...gallery,
];

/** What happens there is the same on every screen, and how it looks on each is photographed: on a phone alone. */
const anyScreen = [
  "accounts.spec.ts",
  "ai-text.spec.ts",
  "analytics.spec.ts",
  "footer.spec.ts",
  "players.spec.ts",
  "preview.spec.ts",
  "social.spec.ts",
  "survey.spec.ts",
];
/** How it looks on either screen is seen in the run in one process. */
const oneScreen = [
  "account-page.spec.ts",
  "bin-offer.spec.ts",
  "one-time*.spec.ts",
  "order.spec.ts",
  "pay-ways.spec.ts",
  "payment-matrix*.spec.ts",
  "payment-page.spec.ts",
  "russian-payments.spec.ts",
  "subscription.spec.ts",
  "way-back.spec.ts",
  "withdrawal.spec.ts",
];

/** Set where each service has a process of its own, after a run in one process that held everything. */
export const acrossServices = Boolean(process.env.ACROSS_SERVICES);
const leftOut = acrossServices ? sameEitherWay : [];

export default defineConfig({
  testDir: ".",
  outputDir: ".output",
  fullyParallel: true,
  workers: 2,
  // On a busy machine Chromium without a screen now and then stops drawing a page for good. A fresh browser tells that from a
  // fault; what needed one is listed as flaky.
  retries: 1,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // A test writes no reference; `npm run pictures` does.
  updateSnapshots: "none",
  reporter: [["list"]],
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
  projects: [
    {
      name: "phone",
      testIgnore: [...apart, ...leftOut],
      grepInvert: acrossServices ? EITHER_WAY : undefined,
      use: phone,
    },
    {
      name: "desktop",
      testIgnore: [...apart, ...leftOut, ...anyScreen, ...(acrossServices ? oneScreen : [])],
      grepInvert: acrossServices ? [ONE_SCREEN, EITHER_WAY] : ONE_SCREEN,
      use: desktop,
    },
    { name: "gallery", testMatch: gallery, testIgnore: leftOut },
    { name: "weight", testMatch: "weight.spec.ts", testIgnore: leftOut, use: phone },
    { name: "crawl", testMatch: "crawl.spec.ts", testIgnore: leftOut, fullyParallel: false },
  ],
});
