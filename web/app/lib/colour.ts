/** Colours content chooses. They are checked here, because an editor sees one screen and readers use many. */

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

/**
 * The tokens that content may name, as `services/blocks/src/design.rs` has them, with their values where the scheme is light: what
 * content colours looks the same in either scheme. A test holds them to `tokens.css`.
 */
export const TOKENS: Readonly<Record<string, string>> = {
  white: "#fff",
  paper: "#fbfaf7",
  card: "#fff",
  sand: "#f3efe6",
  mist: "#eeecf8",
  ink: "#1d1a3a",
  muted: "#5c5872",
  placeholder: "#6b667f",
  hairline: "#d9d5e3",
  field: "#857f9c",
  action: "#6953bb",
  "action-hover": "#5843a6",
  "action-pressed": "#493690",
  "on-action": "#fff",
  danger: "#b3261e",
  "danger-tint": "#fdecea",
  success: "#1f6f4a",
  "success-tint": "#e6f4ec",
  warn: "#7a4b00",
  "warn-tint": "#fff3dc",
  star: "#a86a00",
  night: "#2f2a63",
  "night-deep": "#1d1a3a",
  lav: "#cfc6f2",
  gold: "#f2c76e",
  coral: "#f4a58a",
  violet: "#6953bb",
  cream: "#fff3d6",
  mint: "#bfe6d2",
  "gift-forest": "#22533b",
  "gift-teal": "#084e41",
};

/** A colour of content, a hex value or a token, as one hex value; nothing where it is neither. */
export function hexOf(colour: string | null | undefined): string | null {
  const given = colour?.trim() ?? "";
  const hex = TOKENS[given] ?? given;
  return HEX.test(hex) ? hex : null;
}

/** As WCAG 2.2 defines it, from 1 to 21. */
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

/** Which of our two text colours can be read on a background. On some middle greys neither can: then nothing is written there. */
export function toneOn(background: Rgb): "light" | "dark" | null {
  const [light, dark] = [contrast(WHITE, background), contrast(INK, background)];
  if (Math.max(light, dark) < ENOUGH) return null;
  return light >= dark ? "light" : "dark";
}
