import { expect, it } from "vitest";
import { scrollTarget } from "./scroll";

it.each([
  { topInView: 1_000, scrolled: 0, stop: 850 },
  { topInView: 300, scrolled: 500, stop: 650 },
  { topInView: 40, scrolled: 0, stop: 0 },
])("a block at $topInView of a page scrolled by $scrolled stops at $stop", ({ topInView, scrolled, stop }) => {
  expect(scrollTarget(topInView, scrolled)).toBe(stop);
});
