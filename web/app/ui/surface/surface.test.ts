import { expect, it } from "vitest";
import { surfaceOf } from "./surface";

it.each([
  { colour: "#2f2a63", surface: { fill: "#2f2a63", scope: "on-night" } },
  { colour: "#f2c76e", surface: { fill: "#f2c76e", scope: "on-day" } },
  { colour: "mist", surface: { fill: "var(--color-mist)", scope: "text-ink" } },
  { colour: "action", surface: { fill: "var(--color-violet)", scope: "on-night" } },
  { colour: "#7d7a8c", surface: null },
  { colour: "url(x)", surface: null },
  { colour: null, surface: null },
])("the surface of $colour is $surface", ({ colour, surface }) => {
  expect(surfaceOf(colour)).toEqual(surface);
});
