import { contrast, parseHex, toneOn } from "~/lib/format/colour";
import { darkColours, lightColours } from "~/styles/colours.server";

/**
 * Generates the style sheet that `dynamic-styles.tsx` names. Unreadable colours are omitted, so the design's colours
 * stay.
 */

type ChosenValues = ReadonlyMap<string, string>;
type Colours = ReadonlyMap<string, string>;

const SHEET = /^[a-z0-9_-]{1,240}$/;
const PART = /^([a-z]+)-([a-z0-9-]+)$/;
const PARTS = ["ink", "ground", "line", "blend", "face", "size", "weight", "leading", "width"];
const ENOUGH = 4.5;
const HEAVIEST_ARABIC = 600;
/** On a custom background the contrast cannot be checked here. */
const ON_PAPER = ":where(:not(.on-night *, .on-day *))";

export function sheetOf(name: string): string | null {
  const chosen = parse(name);
  if (!chosen) return null;
  const selector = `.paint_${name}`;
  const [light, dark] = [colourRules(chosen, lightColours, selector), colourRules(chosen, darkColours, selector)];
  const schemes =
    light === dark
      ? light
      : `@media not (prefers-color-scheme: dark){${light}}@media (prefers-color-scheme: dark){${dark}}`;
  return fontRules(chosen, selector) + schemes;
}

function parse(name: string): ChosenValues | null {
  if (!SHEET.test(name)) return null;
  const chosen = new Map<string, string>();
  for (const text of name.split("_")) {
    const [, part = "", value = ""] = PART.exec(text) ?? [];
    if (!PARTS.includes(part)) return null;
    chosen.set(part, value);
  }
  return chosen;
}

function colourRules(chosen: ChosenValues, colours: Colours, selector: string): string {
  const value = (part: string) => valueOfCode(chosen.get(part), colours);
  const [ink, ground, line] = [value("ink"), value("ground"), value("line")];
  const paper = colours.get("paper") ?? "";
  const edge = line ? `${selector}{border:1px solid ${line}}` : "";
  if (ground) {
    const letters = ink && isReadable(ink, ground) ? ink : inkFor(ground);
    return edge + (letters ? `${selector}{background-color:${ground};color:${letters}}` : "");
  }
  const blend =
    chosen
      .get("blend")
      ?.split("--")
      .map((code) => valueOfCode(code, colours)) ?? [];
  if (blend.length > 0 && blend.every((colour) => colour && isReadable(colour, paper))) {
    const towards = (side: string) => `linear-gradient(to ${side},${blend.join()})`;
    return `${edge}${selector}${ON_PAPER}{background-image:${towards("right")};background-clip:text;color:transparent;padding-block-end:0.12em}${selector}${ON_PAPER}:dir(rtl){background-image:${towards("left")}}`;
  }
  return edge + (ink && isReadable(ink, paper) ? `${selector}${ON_PAPER}{color:${ink}}` : "");
}

function valueOfCode(code: string | undefined, colours: Colours): string | null {
  if (!code) return null;
  const hex = /^x([0-9a-f]{3}|[0-9a-f]{6})$/.exec(code)?.[1];
  return hex ? `#${hex}` : (colours.get(code) ?? null);
}

function isReadable(ink: string, ground: string): boolean {
  const [one, other] = [parseHex(ink), parseHex(ground)];
  return one !== null && other !== null && contrast(one, other) >= ENOUGH;
}

/** Our text colour on an editor's background. */
function inkFor(ground: string): string | null {
  const rgb = parseHex(ground);
  const tone = rgb && toneOn(rgb);
  return tone && `var(--color-${tone === "light" ? "white" : "night-deep"})`;
}

function fontRules(chosen: ChosenValues, selector: string): string {
  const number = (part: string) => Number(/^\d{1,4}$/.exec(chosen.get(part) ?? "")?.[0]) || null;
  const [size, weight, leading, width] = [number("size"), number("weight"), number("leading"), number("width")];
  const face = chosen.get("face");
  const rules = [
    (face === "display" || face === "body") && `font-family:var(--font-${face})`,
    // Large text shrinks on small screens.
    size && `font-size:min(${size / 16}rem,1.25rem + 6vw)`,
    weight && `font-weight:${weight}`,
    leading && `line-height:${leading / 100}`,
    width && `inline-size:min(100%,${width / 16}rem)`,
  ].filter(Boolean);
  if (rules.length === 0) return "";
  const arabic = weight && weight > HEAVIEST_ARABIC ? `${selector}:lang(ar){font-weight:${HEAVIEST_ARABIC}}` : "";
  return `${selector}{${rules.join(";")}}${arabic}`;
}
