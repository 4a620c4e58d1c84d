import { petal } from "../shapes";
import { mix } from "./colour";
import { nightMoods, token } from "./palette.server";
import { area, between, disc, fall, n, pick, type Random, ridge, shape, shine, stars, svg } from "./pen";

const WIDTH = 1200;
const HEIGHT = 900;
const PETALS = [6, 8, 12] as const;
/** Petals that surround the centre without a gap. */
const ROUND = 1_180;

/** A lotus over dark water, with rings of light. */
export function lotus(random: Random): string {
  const mood = pick(random, nightMoods);
  const petals = pick(random, PETALS);
  const bloom = between(random, 0.72, 1.1);
  const wide = ROUND / petals;
  const coral = token("coral");
  const defs =
    fall("s", mood.sky) +
    shine("g", mix(coral, token("gold"), 0.4), 0.55) +
    leaf("a", token("lav"), petal(250, wide)) +
    leaf("b", coral, petal(190, wide * 0.85)) +
    leaf("c", token("gold"), petal(126, wide * 0.64));
  const rings = [330, 262, 196].map((r, index) =>
    disc(600, 420, r, token("lav"), ` opacity="${n(0.06 + index * 0.035)}"`),
  );
  const flower = [ring("a", petals, 0, 0.5), ring("b", petals, 180 / petals, 0.62), ring("c", petals, 0, 0.75)];
  const water = [0, 1, 2].map((depth) =>
    shape(
      ridge(random, {
        width: WIDTH,
        height: HEIGHT,
        level: 690 + depth * 64,
        swing: 26 - depth * 5,
        waves: between(random, 0.8, 1.4),
      }),
      mix(mood.far, mood.near, 0.35 + depth * 0.3),
      ` opacity="${n(0.7 + depth * 0.12)}"`,
    ),
  );
  return svg(
    WIDTH,
    HEIGHT,
    `<defs>${defs}</defs>${area(WIDTH, HEIGHT, "url(#s)")}${stars(random, 30, WIDTH, 520, mood.light)}${disc(600, 420, 430, "url(#g)")}${rings.join("")}<g transform="translate(600 420) scale(${n(bloom)})">${flower.join("")}${disc(0, 0, 44, token("gold"), ' opacity=".35"')}${disc(0, 0, 17, token("cream"))}</g>${water.join("")}`,
  );
}

/** Bright at the root, nearly transparent at the tip. */
function leaf(id: string, colour: string, d: string): string {
  return `<linearGradient id="${id}g" y1="1" x2="0" y2="0"><stop stop-color="${colour}" stop-opacity=".9"/><stop offset="1" stop-color="${colour}" stop-opacity=".38"/></linearGradient><path id="${id}" d="${d}" fill="url(#${id}g)"/>`;
}

function ring(leafId: string, count: number, offset: number, opacity: number): string {
  const turns = Array.from(
    { length: count },
    (_, index) => `<use href="#${leafId}" transform="rotate(${n((index * 360) / count + offset)})"/>`,
  );
  return `<g opacity="${opacity}">${turns.join("")}</g>`;
}
