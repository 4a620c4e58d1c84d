/** The journeys that take away from everybody what they need: when all others are done, whatever became of those. */
import { defineConfig } from "@playwright/test";
import journeys, { acrossServices, desktop, last } from "./playwright.config.ts";

export default defineConfig({
  ...journeys,
  // The others' traces stay.
  outputDir: ".output/last",
  workers: 1,
  projects: [
    // Those who take the money.
    {
      name: "outage",
      testMatch: last.outage,
      grepInvert: acrossServices ? /: desktop$/ : undefined,
      // Not a dependency: that would be left out when this fails.
      teardown: "operations",
    },
    // The renderer, for good.
    { name: "operations", testMatch: last.operations, use: desktop },
  ],
});
