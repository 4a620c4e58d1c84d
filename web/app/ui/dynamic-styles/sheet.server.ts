import { contrast, parseHex, toneOn } from "~/lib/format/colour";
import { darkColours, lightColours } from "~/styles/colours.server";

/**
 * Generates the style sheet that `dynamic-styles.tsx` names. Unreadable colours are omitted, so the design's colours
 * stay.
 */

type Wanted = ReadonlyMap<string, string>;
type Colours = ReadonlyMap<string, string>;

const SHEET = /^[a-z0-9_-]{1,240}$/;
const PART = /^([a-z]+)-([a-z0-9-]+)$/;
const PARTS = ["ink", "ground", "line", "blend", "face", "size", "weight", "leading", "width"];
const ENOUGH = 4.5;
const HEAVIEST_ARABIC = 600;
/** On a custom background the contrast cannot be checked here. */
const ON_PAPER = ":where(:not(.on-night *, .on-day *))";

export function sheetOf(name: string): string | null {
  const wanted = parse(name);
  if (!wanted) return null;
  const painted = `.paint_${name}`;
  const [light, dark] = [colourRules(wanted, lightColours, painted), colourRules(wanted, darkColours, painted)];
  const schemes =
    light === dark
      ? light
      : `@media not (prefers-color-scheme: dark){${light}}@media (prefers-color-scheme: dark){${dark}}`;
  return letterRules(wanted, painted) + schemes;
}

function parse(name: string): Wanted | null {
  if (!SHEET.test(name)) return null;
  const wanted = new Map<string, string>();
  for (const text of name.split("_")) {
    const [, part = "", value = ""] = PART.exec(text) ?? [];
    if (!PARTS.includes(part)) return null;
    wanted.set(part, value);
  }
  return wanted;
}

function colourRules(wanted: Wanted, colours: Colours, painted: string): string {
  const chosen = (part: string) => valueOfCode(wanted.get(part), colours);
  const [ink, ground, line] = [chosen("ink"), chosen("ground"), chosen("line")];
  const paper = colours.get("paper") ?? "";
  const edge = line ? `${painted}{border:1px solid ${line}}` : "";
  if (ground) {
    const letters = ink && isReadable(ink, ground) ? ink : inkFor(ground);
    return edge + (letters ? `${painted}{background-color:${ground};color:${letters}}` : "");
  }
  const blend =
    wanted
      .get("blend")
      ?.split("--")
      .map((code) => valueOfCode(code, colours)) ?? [];
  if (blend.length > 0 && blend.every((colour) => colour && isReadable(colour, paper))) {
    const towards = (side: string) => `linear-gradient(to ${side},${blend.join()})`;
    return `${edge}${painted}${ON_PAPER}{background-image:${towards("right")};background-clip:text;color:transparent;padding-block-end:0.12em}${painted}${ON_PAPER}:dir(rtl){background-image:${towards("left")}}`;
  }
  return edge + (ink && isReadable(ink, paper) ? `${painted}${ON_PAPER}{color:${ink}}` : "");
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

function letterRules(wanted: Wanted, painted: string): string {
  const number = (part: string) => Number(/^\d{1,4}$/.exec(wanted.get(part) ?? "")?.[0]) || null;
  const [size, weight, leading, width] = [number("size"), number("weight"), number("leading"), number("width")];
  const face = wanted.get("face");
  const rules = [
    (face === "display" || face === "body") && `font-family:var(--font-${face})`,
    // Large text shrinks on small screens.
    size && `font-size:min(${size / 16}rem,1.25rem + 6vw)`,
    weight && `font-weight:${weight}`,
    leading && `line-height:${leading / 100}`,
    width && `inline-size:min(100%,${width / 16}rem)`,
  ].filter(Boolean);
  if (rules.length === 0) return "";
  const arabic = weight && weight > HEAVIEST_ARABIC ? `${painted}:lang(ar){font-weight:${HEAVIEST_ARABIC}}` : "";
  return `${painted}{${rules.join(";")}}${arabic}`;
}
