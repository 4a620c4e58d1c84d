/** Drawing primitives as SVG text. */

export type Random = () => number;

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("There is nothing to pick from");
  return item;
}

export function between(random: Random, least: number, most: number): number {
  return least + random() * (most - least);
}

/** Short numbers keep a picture small. */
export function n(value: number): number {
  return Math.round(value * 10) / 10;
}

export function svg(width: number, height: number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${content}</svg>`;
}

export function fall(id: string, colours: readonly string[]): string {
  const stops = colours.map(
    (colour, index) => `<stop offset="${n(index / Math.max(1, colours.length - 1))}" stop-color="${colour}"/>`,
  );
  return `<linearGradient id="${id}" x2="0" y2="1">${stops.join("")}</linearGradient>`;
}

export function shine(id: string, colour: string, strength: number): string {
  return `<radialGradient id="${id}"><stop stop-color="${colour}" stop-opacity="${strength}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;
}

export function disc(x: number, y: number, r: number, fill: string, rest = ""): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}"${rest}/>`;
}

export function shape(d: string, fill: string, rest = ""): string {
  return `<path d="${d}" fill="${fill}"${rest}/>`;
}

export function area(width: number, height: number, fill: string): string {
  return `<path d="M0 0h${width}v${height}H0z" fill="${fill}"/>`;
}

interface Ridge {
  width: number;
  height: number;
  level: number;
  swing: number;
  /** Waves across the picture. */
  waves: number;
}

/** A soft ridge from edge to edge, filled to the bottom: the sum of two sines. */
export function ridge(random: Random, { width, height, level, swing, waves }: Ridge): string {
  const step = width / 10;
  const phase = random() * 6.28;
  const second = random() * 6.28;
  const y = (x: number) => {
    const turn = (x / width) * 6.28 * waves;
    return Math.round(level + swing * (Math.sin(turn + phase) * 0.72 + Math.sin(turn * 2.3 + second) * 0.28));
  };
  let d = `M0 ${y(0)}`;
  for (let x = 0; x < width; x += step) {
    const middle = x + step / 2;
    d += `Q${Math.round(middle)} ${Math.round(2 * y(middle) - (y(x) + y(x + step)) / 2)} ${Math.round(x + step)} ${y(x + step)}`;
  }
  return `${d}V${height}H0z`;
}

export function stars(random: Random, count: number, width: number, height: number, fill: string): string {
  return Array.from({ length: count }, () =>
    disc(
      between(random, 20, width - 20),
      between(random, 20, height),
      between(random, 0.9, 2.4),
      fill,
      ` opacity="${n(between(random, 0.3, 0.95))}"`,
    ),
  ).join("");
}
