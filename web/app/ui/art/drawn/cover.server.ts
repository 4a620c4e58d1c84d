import { mix } from "./colour";
import { type Mood, moods, token } from "./palette.server";
import { area, between, disc, fall, n, pick, type Random, ridge, shape, shine, svg } from "./pen";

const WIDTH = 1200;
const HEIGHT = 900;

/** A picture for a story: large quiet shapes, arranged by the seed. */
export function cover(random: Random): string {
  const mood = pick(random, moods);
  const arrange = pick(random, [arches, stones, path, ripples, leaves]);
  const [top, , horizon] = mood.sky;
  const paper = mix(mix(top, horizon, 0.6), token("cream"), 0.55);
  const defs = fall("s", [mix(paper, token("white"), 0.25), mix(paper, horizon, 0.5)]) + shine("g", mood.glow, 0.7);
  return svg(WIDTH, HEIGHT, `<defs>${defs}</defs>${area(WIDTH, HEIGHT, "url(#s)")}${arrange(random, mood)}`);
}

function shades({ far, near }: Mood, count: number): string[] {
  return Array.from({ length: count }, (_, index) => mix(far, near, index / Math.max(1, count - 1)));
}

function arches(random: Random, mood: Mood): string {
  const x = between(random, 480, 720);
  const rings = [430, 344, 262, 182, 106].map((r, index) => {
    const fill = index === 4 ? mood.light : (shades(mood, 4)[3 - index] ?? mood.far);
    return shape(`M${n(x - r)} 900V560a${r} ${r} 0 0 1 ${r * 2} 0V900z`, fill, ` opacity="${n(0.55 + index * 0.1)}"`);
  });
  return rings.join("") + floor(random, mood);
}

function stones(random: Random, mood: Mood): string {
  const tones = shades(mood, 4);
  let y = 742;
  const pile = [212, 166, 122, 78].map((half, index) => {
    const tall = half * 0.4;
    y -= tall;
    const lean = between(random, -22, 22);
    const stone = `<ellipse cx="${n(600 + lean)}" cy="${n(y)}" rx="${half}" ry="${n(tall)}" fill="${tones[3 - index] ?? mood.near}"/><ellipse cx="${n(600 + lean - half * 0.28)}" cy="${n(y - tall * 0.42)}" rx="${n(half * 0.42)}" ry="${n(tall * 0.2)}" fill="${mood.light}" opacity=".22"/>`;
    y -= tall * 0.94;
    return stone;
  });
  const sun = [between(random, 240, 420), between(random, 220, 320)] as const;
  return (
    disc(sun[0], sun[1], 300, "url(#g)") + disc(sun[0], sun[1], 92, mood.light) + floor(random, mood) + pile.join("")
  );
}

function path(random: Random, mood: Mood): string {
  const x = between(random, 380, 820);
  const hills = [0, 1, 2].map((depth) =>
    shape(
      ridge(random, {
        width: WIDTH,
        height: HEIGHT,
        level: 430 + depth * 96,
        swing: 74 - depth * 14,
        waves: between(random, 0.6, 1),
      }),
      shades(mood, 4)[depth] ?? mood.far,
    ),
  );
  const way = shape(
    `M${n(x - 210)} 900C${n(x - 60)} 800 ${n(x + 150)} 770 ${n(x + 30)} 690c-30-24-8-44 8-50 2 12-4 26 30 48 110 70-40 130 90 212z`,
    mood.light,
    ' opacity=".6"',
  );
  return disc(x + 120, 300, 340, "url(#g)") + disc(x + 120, 300, 88, mood.light) + hills.join("") + way;
}

function ripples(random: Random, mood: Mood): string {
  const [x, y] = [between(random, 560, 640), between(random, 430, 500)];
  const rings = [530, 424, 322, 228, 142].map(
    (r, index) =>
      `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${r}" ry="${n(r * 0.6)}" fill="${shades(mood, 5)[index] ?? mood.near}" opacity="${n(0.3 + index * 0.13)}"/>`,
  );
  return rings.join("") + disc(x, y, 34, mood.light) + disc(x, y, 120, "url(#g)", ' opacity=".6"');
}

function leaves(random: Random, mood: Mood): string {
  const tones = shades(mood, 5);
  const stem = between(random, -16, 16);
  const pairs = Array.from({ length: 5 }, (_, index) => {
    const y = 760 - index * 122;
    const long = 250 - index * 30;
    const leaf = `M0 0C${n(long * 0.3)} ${n(-long * 0.42)} ${n(long * 0.8)} ${n(-long * 0.44)} ${long} ${n(-long * 0.2)}C${n(long * 0.8)} ${n(long * 0.16)} ${n(long * 0.3)} ${n(long * 0.2)} 0 0z`;
    const fill = tones[4 - index] ?? mood.near;
    return `<path d="${leaf}" fill="${fill}" transform="translate(600 ${y}) rotate(-12)"/><path d="${leaf}" fill="${mix(fill, mood.far, 0.35)}" transform="translate(600 ${y - 46}) scale(-1 1) rotate(-12)"/>`;
  });
  const [x, y] = [between(random, 300, 420), between(random, 250, 330)];
  return (
    disc(x, y, 320, "url(#g)") +
    disc(x, y, 110, mood.light) +
    `<g transform="rotate(${n(stem)} 600 900)"><path d="M600 900V150" stroke="${mood.near}" stroke-width="9" stroke-linecap="round"/>${pairs.join("")}</g>`
  );
}

function floor(random: Random, mood: Mood): string {
  const d = ridge(random, { width: WIDTH, height: HEIGHT, level: 762, swing: 22, waves: between(random, 0.6, 1.1) });
  return shape(d, mix(mood.near, token("night-deep"), 0.25));
}
