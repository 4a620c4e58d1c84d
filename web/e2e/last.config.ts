/** The journeys that take away what all others need; they run after the others, whether those passed or failed. */
import { defineConfig } from "@playwright/test";
import journeys, { isSmoke, last } from "./playwright.config.ts";
import { desktop } from "./support/screens.ts";

/** Stops the renderer for good. */
const operations = { name: "operations", testMatch: last.operations, use: desktop };
/** Cuts the payment providers off. */
const outage = {
  name: "outage",
  testMatch: last.outage,
  // Not a dependency: that would be left out when this fails.
  teardown: "operations",
};

export default defineConfig({
  ...journeys,
  // The others' traces stay.
  outputDir: ".output/last",
  workers: 1,
  projects: isSmoke ? [operations] : [outage, operations],
});
