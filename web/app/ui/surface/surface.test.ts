import { expect, it } from "vitest";
import { surfaceOf } from "./surface";

it.each([
  { colour: "#2f2a63", ground: { fill: "#2f2a63", scope: "on-night" } },
  { colour: "#f2c76e", ground: { fill: "#f2c76e", scope: "on-day" } },
  { colour: "mist", ground: { fill: "var(--color-mist)", scope: "text-ink" } },
  { colour: "action", ground: { fill: "var(--color-violet)", scope: "on-night" } },
  { colour: "#7d7a8c", ground: null },
  { colour: "url(x)", ground: null },
  { colour: null, ground: null },
])("the surface of $colour is $surface", ({ colour, ground }) => {
  expect(surfaceOf(colour)).toEqual(ground);
});
