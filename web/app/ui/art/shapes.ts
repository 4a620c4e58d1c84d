import { seeded } from "~/lib/random";

/** Geometry of the inline pictures: pure, seeded and short. */

/** The origin is the centre of the lotus and of every layer, so that all rotate and scale around it. */
export const SCENE = { width: 480, height: 560, top: -280, start: -240, bottom: 280 } as const;

const WAVE_STEP = 60;

/** A filled wave: the sum of two sines around `level`, closed along the lower edge. */
export function wave(random: () => number, level: number, amplitude: number): string {
  const phase = random() * 6.28;
  const pace = 0.009 + random() * 0.005;
  const points: [number, number][] = [];
  for (let x = SCENE.start - WAVE_STEP; x <= SCENE.width / 2 + WAVE_STEP; x += WAVE_STEP) {
    const height = Math.sin(x * pace + phase) + 0.4 * Math.sin(x * pace * 2.3 + phase * 1.7);
    points.push([x, Math.round(level + amplitude * height)]);
  }
  const [first] = points;
  const curve = points
    .slice(1, -1)
    .map(([x, y], index) => {
      const [nextX, nextY] = points[index + 2] ?? [x, y];
      return `Q${x} ${y} ${(x + nextX) / 2} ${Math.round((y + nextY) / 2)}`;
    })
    .join("");
  return `M${first?.[0]} ${first?.[1]}${curve}V${SCENE.bottom}H${SCENE.start - WAVE_STEP}Z`;
}

export function waves(seed: number): string[] {
  const random = seeded(seed);
  return [wave(random, 136, 18), wave(random, 168, 15), wave(random, 202, 12), wave(random, 238, 9)];
}

export interface Star {
  x: number;
  y: number;
  r: number;
  opacity: number;
}

export function stars(seed: number, count: number): Star[] {
  const random = seeded(seed ^ 0x5f3759df);
  return Array.from({ length: count }, () => ({
    x: Math.round(SCENE.start + 20 + random() * (SCENE.width - 40)),
    y: Math.round(SCENE.top + 16 + random() * 300),
    r: Math.round((0.6 + random() * 1.1) * 10) / 10,
    opacity: Math.round((0.25 + random() * 0.55) * 100) / 100,
  }));
}

const PETAL_COUNTS = [8, 12, 8] as const;

export function petalCount(seed: number): number {
  return PETAL_COUNTS[seed % PETAL_COUNTS.length] ?? 8;
}

/** One leaf from the origin, `length` upwards. */
export function petal(length: number, width: number): string {
  const belly = Math.round(length * 0.45);
  const shoulder = Math.round(length * 0.85);
  const half = Math.round(width / 2);
  return `M0 0C${-half} ${-belly * 0.6} ${-half} ${-shoulder} 0 ${-length}C${half} ${-shoulder} ${half} ${-belly * 0.6} 0 0Z`;
}
