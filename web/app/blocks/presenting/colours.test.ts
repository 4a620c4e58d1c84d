import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lightColours } from "~/styles/colours.server";
import { samples } from "../samples";
import type { Data } from "../types";
import { presentCallToActionBanner, surfaceValue } from "./colours.server";

/** `services/blocks/src/design.rs` lists the tokens that content may use. */
const named = [
  ...readFileSync("../services/blocks/src/design.rs", "utf8").matchAll(/\("([a-z-]+)", "(#[0-9a-f]+)"\)/g),
];

describe("a colour token of content", () => {
  it("has a value here", () => {
    expect(named.length).toBeGreaterThan(20);
    for (const [, name = "", value] of named) expect(lightColours.get(name), name).toBe(value);
  });

  it("fills a surface, and follows the scheme where the surface supports it", () => {
    expect(["night", "gold", "#22533b", null].map(surfaceValue)).toEqual(["night", "#f2c76e", "#22533b", null]);
  });

  it("fills a banner", () => {
    const banner = samples.find(({ __typename }) => __typename === "CallToActionBanner") as Data<"CallToActionBanner">;
    expect(presentCallToActionBanner({ ...banner, background: "gift-forest" }).background).toBe("#22533b");
  });
});
