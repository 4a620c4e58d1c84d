/** Colours from content, checked for contrast, because editors see only their own screen. */

export type Rgb = readonly [red: number, green: number, blue: number];

const HEX = /^#(?:([0-9a-f])([0-9a-f])([0-9a-f])|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2}))$/i;

export function parseHex(colour: string | null | undefined): Rgb | null {
  const found = HEX.exec(colour?.trim() ?? "");
  if (!found) return null;
  const [short, long] = [found.slice(1, 4), found.slice(4, 7)];
  const parts = short[0] === undefined ? long : short.map((digit) => digit + digit);
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Number.parseInt(part, 16));
  return [red, green, blue];
}

/** Contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const WHITE: Rgb = [255, 255, 255];
const INK: Rgb = [29, 26, 58];

const ENOUGH = 4.5;

/** The more readable of our two text colours; null on middle greys, where neither is readable. */
export function toneOn(background: Rgb): "light" | "dark" | null {
  const [light, dark] = [contrast(WHITE, background), contrast(INK, background)];
  if (Math.max(light, dark) < ENOUGH) return null;
  return light >= dark ? "light" : "dark";
}
