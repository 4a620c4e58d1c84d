import { describe, expect, it } from "vitest";
import { contrast, parseHex, toneOn } from "./colour";

describe("a colour from content", () => {
  it.each([
    ["#fff", [255, 255, 255]],
    ["#2F2A63", [47, 42, 99]],
    [" #000000 ", [0, 0, 0]],
  ])("%s is parsed", (text, rgb) => {
    expect(parseHex(text)).toEqual(rgb);
  });

  it.each(["red", "#12", "url(x)", "#12345g", "", null])("%s is invalid", (text) => {
    expect(parseHex(text)).toBeNull();
  });

  it("has its WCAG contrast", () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([105, 83, 187], [255, 255, 255])).toBeCloseTo(5.91, 1);
  });

  it("gets the more readable text colour", () => {
    expect(toneOn([47, 42, 99])).toBe("light");
    expect(toneOn([242, 199, 110])).toBe("dark");
  });

  it("gets no text where neither is readable", () => {
    const greys = Array.from({ length: 256 }, (_, level) => toneOn([level, level, level]));
    expect(greys).toContain(null);
    expect(greys[0]).toBe("light");
    expect(greys[255]).toBe("dark");
  });
});
