import { describe, expect, it } from "vitest";
import { contrast, parseHex, toneOn } from "./colour";

describe("a colour from content", () => {
  it.each([
    ["#fff", [255, 255, 255]],
    ["#2F2A63", [47, 42, 99]],
    [" #000000 ", [0, 0, 0]],
  ])("%s is read", (text, rgb) => {
    expect(parseHex(text)).toEqual(rgb);
  });

  it.each(["red", "#12", "url(x)", "#12345g", "", null])("%s is none", (text) => {
    expect(parseHex(text)).toBeNull();
  });

  it("is measured as WCAG measures", () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([105, 83, 187], [255, 255, 255])).toBeCloseTo(5.91, 1);
  });

  it("is written on in the colour that reads better", () => {
    expect(toneOn([47, 42, 99])).toBe("light");
    expect(toneOn([242, 199, 110])).toBe("dark");
  });

  it("is not written on where neither can be read", () => {
    const greys = Array.from({ length: 256 }, (_, level) => toneOn([level, level, level]));
    expect(greys).toContain(null);
    expect(greys[0]).toBe("light");
    expect(greys[255]).toBe("dark");
  });
});
