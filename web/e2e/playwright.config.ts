import { defineConfig } from "@playwright/test";
import { baseUrl } from "./stillpoint.ts";

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
const desktop = { viewport: { width: 1440, height: 900 } };

/** What needs no screen, chooses its own, or has to wait for the others. */
const apart = ["operations.spec.ts", "crawl.spec.ts", "matrix.spec.ts", "visual.spec.ts", "weight.spec.ts"];

/**
 * The gallery and the weight of pages, asked for by `LOOKS=1`: on a busy machine blocks still move while they come to life,
 * and what passes only sometimes must not stand in anybody's way.
 */
const looks = [
  { name: "matrix", testMatch: "matrix.spec.ts" },
  { name: "visual", testMatch: "visual.spec.ts" },
  { name: "weight", testMatch: "weight.spec.ts", use: phone },
];
const shown = process.env.LOOKS ? looks : [];

export default defineConfig({
  testDir: ".",
  outputDir: ".output",
  fullyParallel: true,
  workers: 2,
  // A journey that passes only sometimes is a failure.
  retries: 0,
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
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_BIN ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
  projects: [
    { name: "phone", testIgnore: apart, use: phone },
    { name: "desktop", testIgnore: apart, use: desktop },
    ...shown,
    { name: "crawl", testMatch: "crawl.spec.ts", fullyParallel: false },
    // Takes the renderer away: only when all others are done.
    {
      name: "operations",
      testMatch: "operations.spec.ts",
      dependencies: ["phone", "desktop", "crawl", ...shown.map(({ name }) => name)],
      use: desktop,
    },
  ],
});
