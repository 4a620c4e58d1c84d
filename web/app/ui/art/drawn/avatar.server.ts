import { mix } from "./colour";
import { backdrops, cloths, hairs, skins, token } from "./palette.server";
import { area, disc, pick, type Random, shape, svg } from "./pen";

const SIZE = 240;

interface Look {
  skin: string;
  hair: string;
}

type Hair = (look: Look) => { behind: string; before: string };

/** A person without a face: distinguishable, but of no group. */
export function avatar(random: Random): string {
  const backdrop = pick(random, backdrops);
  const look = { skin: pick(random, skins), hair: pick(random, hairs) };
  const cloth = pick(random, cloths);
  const { behind, before } = pick(random, HAIR)(look);
  const shade = mix(look.skin, token("night-deep"), 0.16);
  return svg(
    SIZE,
    SIZE,
    area(SIZE, SIZE, backdrop) +
      disc(120, 118, 92, mix(backdrop, token("white"), 0.45)) +
      behind +
      shape("M22 240c0-52 40-78 98-78s98 26 98 78z", cloth) +
      shape("M99 132h42v34a21 20 0 0 1-42 0z", shade) +
      shape("M80 98a40 44 0 0 1 80 0v8a40 46 0 0 1-80 0z", look.skin) +
      before +
      shape("M94 167c6 16 46 16 52 0l10 4c-8 24-64 24-72 0z", mix(cloth, token("white"), 0.2)),
  );
}

const FRINGE = "M78 104c-4-40 18-56 44-56 28 0 46 18 40 56-4-18-10-26-18-32-18 10-46 10-56 4-6 8-8 16-10 28z";

const HAIR: readonly Hair[] = [
  ({ hair }) => ({ behind: "", before: shape(FRINGE, hair) }),
  ({ hair }) => ({
    behind: shape("M70 100a50 54 0 0 1 100 0c0 30 8 46 6 66H64c-2-20 6-36 6-66z", hair),
    before: shape(FRINGE, hair),
  }),
  ({ hair }) => ({ behind: disc(120, 44, 22, hair), before: shape(FRINGE, hair) }),
  ({ hair }) => ({
    behind: [78, 92, 120, 148, 162].map((x, index) => disc(x, [88, 62, 52, 62, 88][index] ?? 60, 24, hair)).join(""),
    before: shape("M80 100c2-26 18-40 40-40s38 14 40 40c-12-16-24-22-40-22s-28 6-40 22z", hair),
  }),
  ({ hair }) => ({
    behind: "",
    before: shape("M80 92c-2-30 16-46 40-46s42 16 40 46c-6-16-18-24-40-24s-34 8-40 24z", hair),
  }),
  ({ hair, skin }) => ({
    behind: shape("M66 112a54 62 0 0 1 108 0l8 70H58z", mix(hair, skin, 0.35)),
    before: shape("M76 112c-6-44 16-66 44-66s50 22 44 66c-4-24-16-40-44-40s-40 16-44 40z", mix(hair, skin, 0.35)),
  }),
];
