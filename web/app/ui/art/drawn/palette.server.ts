import { lightColours } from "~/styles/colours.server";
import { mix } from "./colour";

/** Colours of pictures: those of the light scheme, because a picture is the same in both. */

export function token(name: string): string {
  const value = lightColours.get(name);
  if (!value) throw new Error(`tokens.css has no colour ${name}`);
  return value;
}

export interface Mood {
  /** From the top of the sky to the horizon. */
  sky: readonly [top: string, middle: string, horizon: string];
  /** Sun or moon, and its glow. */
  light: string;
  glow: string;
  /** Land or water, from far to near. */
  far: string;
  near: string;
}

const deep = token("night-deep");
const night = token("night");
const violet = token("violet");
const lav = token("lav");
const coral = token("coral");
const gold = token("gold");
const cream = token("cream");
const green = token("success");
const mint = token("success-tint");
const brown = token("warn");
const sea = mix(green, violet, 0.42);

export const moods: readonly Mood[] = [
  { sky: [night, violet, coral], light: cream, glow: gold, far: mix(violet, coral, 0.25), near: deep },
  {
    sky: [lav, mix(lav, cream, 0.7), mix(cream, coral, 0.45)],
    light: cream,
    glow: gold,
    far: mix(lav, violet, 0.3),
    near: mix(violet, night, 0.5),
  },
  {
    sky: [mix(mint, lav, 0.35), mix(mint, cream, 0.5), cream],
    light: gold,
    glow: cream,
    far: mix(mint, green, 0.42),
    near: mix(green, deep, 0.45),
  },
  {
    sky: [deep, night, mix(night, violet, 0.75)],
    light: cream,
    glow: lav,
    far: mix(night, violet, 0.55),
    near: mix(deep, night, 0.2),
  },
  {
    sky: [mix(sea, lav, 0.72), mix(sea, cream, 0.72), mix(cream, coral, 0.25)],
    light: cream,
    glow: cream,
    far: mix(sea, lav, 0.35),
    near: mix(sea, deep, 0.55),
  },
  {
    sky: [mix(coral, violet, 0.5), mix(coral, cream, 0.25), mix(gold, cream, 0.4)],
    light: cream,
    glow: gold,
    far: mix(coral, violet, 0.42),
    near: mix(night, deep, 0.3),
  },
];

/** Moods in which white and gold are visible. */
export const nightMoods: readonly Mood[] = [
  ...[moods[0], moods[3]].filter((mood) => mood !== undefined),
  {
    sky: [night, mix(night, violet, 0.7), mix(violet, lav, 0.5)],
    light: cream,
    glow: lav,
    far: mix(violet, lav, 0.3),
    near: mix(night, deep, 0.3),
  },
];

/** Skin, hair and clothes of fictional people. */
export const skins = [
  mix(cream, coral, 0.38),
  mix(cream, coral, 0.72),
  mix(coral, brown, 0.34),
  mix(coral, brown, 0.62),
  mix(brown, deep, 0.28),
];
export const hairs = [
  deep,
  mix(brown, deep, 0.5),
  mix(gold, brown, 0.5),
  mix(lav, deep, 0.22),
  mix(coral, brown, 0.75),
];
export const cloths = [violet, green, mix(violet, coral, 0.5), night, sea, mix(gold, coral, 0.4)];
export const backdrops = [
  mix(lav, cream, 0.3),
  mix(mint, lav, 0.3),
  mix(cream, coral, 0.28),
  mix(cream, gold, 0.3),
  mix(lav, mint, 0.6),
];
