import { describe, expect, it } from "vitest";
import { ART_KINDS } from "../address";
import { draw } from "./draw.server";

const SLUGS = Array.from({ length: 60 }, (_, index) => `slug-${index}`);

describe.each(ART_KINDS)("a picture of kind %s", (kind) => {
  it("is the same for the same name", () => {
    expect(draw(kind, "deep-focus")).toBe(draw(kind, "deep-focus"));
  });

  it("differs from name to name", () => {
    expect(new Set(SLUGS.map((slug) => draw(kind, slug))).size).toBeGreaterThan(SLUGS.length / 2);
  });

  it("is well formed, at most 6 kB, and loads nothing", () => {
    for (const slug of SLUGS) {
      const picture = draw(kind, slug);
      expect(Buffer.byteLength(picture)).toBeLessThanOrEqual(6_000);
      expect(picture).not.toMatch(/NaN|undefined|Infinity|<script|href="(?!#)/);
      const opened = picture.match(/<[a-z]/gi)?.length;
      const closed = (picture.match(/<\//g)?.length ?? 0) + (picture.match(/\/>/g)?.length ?? 0);
      expect(opened).toBe(closed);
    }
  });
});
