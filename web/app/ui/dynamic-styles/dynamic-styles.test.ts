import { describe, expect, it } from "vitest";
import { type ChosenStyles, dynamicStylesOf } from "./dynamic-styles";
import { sheetOf } from "./sheet.server";

function sheetFor(look: ChosenStyles): string {
  const [, name = ""] = /^\/paint\/(.+)\.css$/.exec(dynamicStylesOf(look)?.href ?? "") ?? [];
  return sheetOf(name) ?? "";
}

describe("chosen styles", () => {
  it("have a class and a style sheet named after their values", () => {
    expect(dynamicStylesOf({ ink: "#FFFFFF", ground: "action", width: 240 })).toEqual({
      className: "paint_ink-xffffff_ground-action_width-240",
      href: "/paint/ink-xffffff_ground-action_width-240.css",
    });
  });

  it.each([{}, { ink: null }, { ink: "url(x)" }, { blend: "#fff" }, { ink: "red;}" }, { ink: "#6953bb80" }])(
    "without valid values, as %j, have neither",
    (look) => {
      expect(dynamicStylesOf(look)).toBeNull();
    },
  );
});

describe("the style sheet of chosen styles", () => {
  it("sets text and background colour, in both schemes alike", () => {
    expect(sheetFor({ ink: "#ffffff", ground: "#22533b" })).toBe(
      ".paint_ink-xffffff_ground-x22533b{background-color:#22533b;color:#ffffff}",
    );
  });

  it("uses our text colour where the editor's is not readable", () => {
    expect(sheetFor({ ink: "#f2c76e", ground: "#fff3d6" })).toContain(
      "{background-color:#fff3d6;color:var(--color-night-deep)}",
    );
    expect(sheetFor({ ground: "#22533b" })).toContain("color:var(--color-white)");
  });

  it("omits a background on which nothing is readable", () => {
    expect(sheetFor({ ink: "#ffffff", ground: "#7d7a8c" })).toBe("");
  });

  it("sets a text colour only in schemes where it is readable, and not on unknown backgrounds", () => {
    const sheet = sheetFor({ ink: "#22533b" });
    expect(sheet).toMatch(/^@media not \(prefers-color-scheme: dark\)\{[^@]*color:#22533b\}\}/);
    expect(sheet).toMatch(/@media \(prefers-color-scheme: dark\)\{\}$/);
    expect(sheet).toContain(":not(.on-night *, .on-day *)");
  });

  it("resolves a token in both schemes", () => {
    const [light = "", dark = ""] = sheetFor({ ink: "action" }).split("@media (prefers-color-scheme: dark)");
    expect(light).toContain("color:#6953bb");
    expect(dark).toContain("color:#b3a2f2");
  });

  it("draws a gradient in reading direction", () => {
    const sheet = sheetFor({ blend: "#2f2a63, #6953bb" });
    expect(sheet).toContain("linear-gradient(to right,#2f2a63,#6953bb)");
    expect(sheet).toContain(":dir(rtl){background-image:linear-gradient(to left,#2f2a63,#6953bb)}");
    expect(sheet).toContain("background-clip:text");
  });

  it("sets the font size, smaller on small screens and lighter in Arabic", () => {
    const name = ".paint_face-display_size-40_weight-800_leading-120";
    expect(sheetFor({ face: "display", size: 40, weight: 800, leading: 120 })).toBe(
      `${name}{font-family:var(--font-display);font-size:min(2.5rem,1.25rem + 6vw);font-weight:800;line-height:1.2}${name}:lang(ar){font-weight:600}`,
    );
  });

  it("sets the width, up to the available space", () => {
    expect(sheetFor({ width: 240 })).toContain("inline-size:min(100%,15rem)");
  });

  it("sets a border", () => {
    expect(sheetFor({ line: "#084e41" })).toContain("{border:1px solid #084e41}");
  });

  it.each(["", "ink", "ink-xfff}body{display:none", "colour-xfff", "../secret", "ink-xfff_".repeat(40)])(
    "is 404 for %s",
    (name) => {
      expect(sheetOf(name)).toBeNull();
    },
  );

  it("omits an unknown token", () => {
    expect(sheetOf("ink-chartreuse")).toBe("");
  });
});
