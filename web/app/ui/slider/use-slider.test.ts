import { describe, expect, it } from "vitest";
import { wrapped } from "./use-slider";

describe("the slider", () => {
  it.each([
    [-1, 4, 3],
    [4, 4, 0],
    [2, 4, 2],
    [0, 0, 0],
  ])("step %i of %i shows %i", (index, count, shown) => {
    expect(wrapped(index, count)).toBe(shown);
  });
});
