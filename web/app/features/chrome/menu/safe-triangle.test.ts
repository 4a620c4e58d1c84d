import { expect, it } from "vitest";
import { isInSafeTriangle } from "./safe-triangle";

const edge = { start: { x: 160, y: 72 }, end: { x: 800, y: 72 } };
const from = { x: 400, y: 36 };

it.each([
  ["straight down", { x: 400, y: 44 }, true],
  ["steeply to the side", { x: 440, y: 44 }, true],
  ["along the bar", { x: 460, y: 36 }, false],
  ["along the bar, a little down", { x: 470, y: 38 }, false],
  ["away", { x: 400, y: 20 }, false],
  ["nowhere", from, false],
])("a pointer that moves %s: %o is inside the safe triangle: %s", (_, now, expected) => {
  expect(isInSafeTriangle(edge, from, now)).toBe(expected);
});
