import { describe, expect, it } from "vitest";
import { samples } from "~/blocks/samples";
import { LOCALES } from "~/lib/locale";
import { chunksOf } from "./page.load.server";

/** As a build writes it, cut down to a block that takes payments and one that says something. */
const shared = { file: "assets/shared-1.js", dynamicImports: LOCALES.map((locale) => `locales/${locale}.json`) };
const manifest = {
  "_shared-1.js": shared,
  "_journeys-1.js": {
    file: "assets/journeys-1.js",
    imports: ["_shared-1.js"],
    dynamicImports: LOCALES.map((locale) => `locales/journeys/${locale}.json`),
  },
  "_checkout-1.js": {
    file: "assets/checkout-1.js",
    css: ["assets/checkout-1.css"],
    imports: ["_shared-1.js", "_journeys-1.js"],
  },
  "app/blocks/payment-form/payment-form.tsx": { file: "assets/payment-form-1.js", imports: ["_checkout-1.js"] },
  "app/blocks/heading/heading.tsx": { file: "assets/heading-1.js", imports: ["_shared-1.js"] },
  "locales/de.json": { file: "assets/de-page.js" },
  "locales/journeys/de.json": { file: "assets/de-journeys.js" },
  "locales/journeys/en.json": { file: "assets/en-journeys.js" },
};

const chunksOfOne = (kind: string) =>
  chunksOf(samples.filter((sample) => sample.__typename === kind).slice(0, 1), "de", manifest);

describe("the scripts of a page", () => {
  it("are its blocks and its language, with all that they import, each once", () => {
    expect(chunksOfOne("Heading").modules).toEqual([
      "/assets/heading-1.js",
      "/assets/shared-1.js",
      "/assets/de-page.js",
    ]);
  });

  it("bring along the words of journeys, in its language alone, where a block waits for them", () => {
    const { modules } = chunksOfOne("PaymentForm");
    expect(modules).toContain("/assets/checkout-1.js");
    expect(modules).toContain("/assets/de-journeys.js");
    expect(modules).not.toContain("/assets/en-journeys.js");
    expect(chunksOfOne("Heading").modules).not.toContain("/assets/de-journeys.js");
  });

  it("bring along the style sheets of what they import", () => {
    expect(chunksOfOne("PaymentForm").styles).toEqual(["/assets/checkout-1.css"]);
  });
});
