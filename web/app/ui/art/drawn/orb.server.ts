import { petal } from "../shapes";
import { mix } from "./colour";
import { moods, token } from "./palette.server";
import { area, between, disc, fall, n, pick, type Random, ridge, shape, shine, svg } from "./pen";

const SIZE = 600;
const MIDDLE = SIZE / 2;
const RADIUS = 188;

/** A glowing ball with one shape: for a programme without a picture. */
export function orb(random: Random): string {
  const mood = pick(random, moods);
  const [top, , bottom] = mood.sky;
  const backdrop = mix(mix(top, bottom, 0.5), token("cream"), 0.62);
  const inner = pick(random, [moon, horizon, ripples, flower]);
  const defs =
    fall("b", [mix(backdrop, token("white"), 0.35), mix(backdrop, top, 0.18)]) +
    `<linearGradient id="o" x1=".2" x2=".75" y2="1"><stop stop-color="${mix(bottom, token("cream"), 0.15)}"/><stop offset=".5" stop-color="${mix(top, bottom, 0.5)}"/><stop offset="1" stop-color="${mood.near}"/></linearGradient>` +
    shine("h", token("white"), 0.5) +
    shine("d", mood.near, 0.34) +
    `<clipPath id="c"><circle cx="${MIDDLE}" cy="${MIDDLE}" r="${RADIUS}"/></clipPath>`;
  return svg(
    SIZE,
    SIZE,
    `<defs>${defs}</defs>${area(SIZE, SIZE, "url(#b)")}<ellipse cx="${MIDDLE}" cy="512" rx="176" ry="30" fill="url(#d)"/>${disc(MIDDLE, MIDDLE, RADIUS, "url(#o)")}<g clip-path="url(#c)">${inner(random, mood.light)}${disc(232, 214, 150, "url(#h)", ' opacity=".75"')}</g>`,
  );
}

function moon(random: Random, light: string): string {
  const x = between(random, 268, 316);
  const d = `M${n(x)} 205a98 98 0 1 0 92 132a82 82 0 1 1-92-132z`;
  return (
    shape(d, light, ' opacity=".9"') + disc(372, 226, 5, light) + disc(402, 268, 3, light) + disc(350, 190, 3, light)
  );
}

function horizon(random: Random, light: string): string {
  const land = [0, 1, 2].map((depth) =>
    shape(
      ridge(random, {
        width: SIZE,
        height: SIZE,
        level: 330 + depth * 44,
        swing: 18,
        waves: between(random, 0.9, 1.5),
      }),
      light,
      ` opacity="${n(0.2 + depth * 0.12)}"`,
    ),
  );
  return disc(MIDDLE, 288, 62, light, ' opacity=".92"') + land.join("");
}

function ripples(random: Random, light: string): string {
  const y = between(random, 290, 330);
  return (
    [150, 112, 76, 42]
      .map(
        (r, index) =>
          `<ellipse cx="${MIDDLE}" cy="${n(y)}" rx="${r}" ry="${n(r * 0.62)}" fill="none" stroke="${light}" stroke-width="${n(5 - index * 0.6)}" opacity="${n(0.35 + index * 0.17)}"/>`,
      )
      .join("") + disc(MIDDLE, y, 10, light)
  );
}

function flower(random: Random, light: string): string {
  const count = pick(random, [5, 8] as const);
  const leaf = petal(124, 62);
  const turns = Array.from(
    { length: count },
    (_, index) => `<path d="${leaf}" transform="rotate(${n((index * 360) / count)})" opacity=".42"/>`,
  );
  return `<g fill="${light}" transform="translate(${MIDDLE} ${MIDDLE})">${turns.join("")}<circle r="15"/></g>`;
}
