import { mix } from "./colour";
import { moods, nightMoods } from "./palette.server";
import { area, between, disc, fall, n, pick, type Random, ridge, shape, shine, stars, svg } from "./pen";

const WIDTH = 1200;
const HEIGHT = 900;
const LAYERS = 5;

/** Water or hills under a low sun. */
export function waves(random: Random): string {
  const mood = pick(random, moods);
  const [x, y] = [between(random, 260, 940), between(random, 250, 430)];
  const radius = between(random, 70, 120);
  const defs = fall("s", mood.sky) + shine("g", mood.glow, 0.85);
  const sky =
    area(WIDTH, HEIGHT, "url(#s)") +
    (nightMoods.includes(mood) ? stars(random, 26, WIDTH, 420, mood.light) : "") +
    disc(x, y, radius * 4.4, "url(#g)") +
    disc(x, y, radius, mood.light);
  const layers = Array.from({ length: LAYERS }, (_, depth) => {
    const share = depth / (LAYERS - 1);
    const path = ridge(random, {
      width: WIDTH,
      height: HEIGHT,
      level: 500 + depth * 86,
      swing: 58 - depth * 7,
      waves: between(random, 0.7, 1.3) + share * 0.4,
    });
    return shape(path, mix(mood.far, mood.near, share ** 0.8), ` opacity="${n(0.72 + share * 0.28)}"`);
  });
  return svg(WIDTH, HEIGHT, `<defs>${defs}</defs>${sky}${layers.join("")}`);
}
