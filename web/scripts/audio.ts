/** Generates the sound samples `/audio/<name>.wav` of the sample content: soft bells over a drone. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const RATE = 11_025;
const SECONDS = 64;
const FADE_SECS = 5;
const LOUDNESS = 0.82;

interface Session {
  name: string;
  /** Hertz of the lowest voice. */
  root: number;
  /** Voices of the drone, as multiples of the root. */
  voices: readonly number[];
  /** Seconds of one breath, with which the drone swells. */
  breath: number;
  bells: readonly Bell[];
}

interface Bell {
  at: number;
  /** Multiple of the root. */
  pitch: number;
  loudness: number;
}

const every = (secs: number, pitches: readonly number[], loudness: number): Bell[] =>
  Array.from({ length: Math.floor((SECONDS - 8) / secs) }, (_, index) => ({
    at: 2 + index * secs,
    pitch: pitches[index % pitches.length] ?? 1,
    loudness,
  }));

const SESSIONS: readonly Session[] = [
  { name: "first-ten-minutes", root: 110, voices: [1, 1.5, 2, 3], breath: 12, bells: every(12, [4, 6], 0.5) },
  { name: "sleep-gently", root: 73.4, voices: [1, 1.5, 2, 2.25], breath: 16, bells: every(16, [4, 3], 0.3) },
  { name: "deep-focus", root: 98, voices: [1, 2, 3, 4.5], breath: 8, bells: every(8, [6, 8, 9], 0.22) },
];

/** A struck bowl: inharmonic partials, the high ones decaying first. */
const PARTIALS = [
  { ratio: 1, loudness: 1, decay: 5.5 },
  { ratio: 2.71, loudness: 0.42, decay: 3 },
  { ratio: 5.15, loudness: 0.16, decay: 1.3 },
] as const;

function sample(session: Session, time: number): number {
  return drone(session, time) + session.bells.reduce((sum, bell) => sum + ring(session.root, bell, time), 0);
}

function drone({ root, voices, breath }: Session, time: number): number {
  const swell = 0.62 + 0.38 * Math.sin((2 * Math.PI * time) / breath - Math.PI / 2);
  return voices.reduce((sum, voice, index) => {
    const drift = 1 + 0.0012 * Math.sin(2 * Math.PI * 0.05 * (index + 1) * time);
    return sum + (Math.sin(2 * Math.PI * root * voice * drift * time) * 0.2 * swell) / (index + 1);
  }, 0);
}

function ring(root: number, { at, pitch, loudness }: Bell, time: number): number {
  const since = time - at;
  if (since < 0 || since > 14) return 0;
  const attack = Math.min(1, since / 0.012);
  return (
    PARTIALS.reduce((sum, partial) => {
      const hertz = root * pitch * partial.ratio;
      if (hertz > RATE / 2) return sum;
      return sum + Math.sin(2 * Math.PI * hertz * since) * partial.loudness * Math.exp(-since / partial.decay);
    }, 0) *
    loudness *
    attack *
    0.3
  );
}

function wav(session: Session): Buffer {
  const count = RATE * SECONDS;
  const file = Buffer.alloc(44 + count * 2);
  file.write("RIFF", 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36);
  file.writeUInt32LE(count * 2, 40);
  for (let index = 0; index < count; index += 1) {
    const time = index / RATE;
    const fade = Math.min(1, time / FADE_SECS, (SECONDS - time) / FADE_SECS);
    const value = Math.tanh(sample(session, time)) * fade * LOUDNESS;
    file.writeInt16LE(Math.round(value * 32_767), 44 + index * 2);
  }
  return file;
}

/** Captions: each bell, and the breath between two of them. */
function captions({ bells }: Session): string {
  const cues = bells.map(({ at }, index) => {
    const next = bells[index + 1]?.at ?? SECONDS;
    return `${clock(at)} --> ${clock(at + 3)}\n[a bell]\n\n${clock(at + 3)} --> ${clock(next)}\n[the sound swells and falls]\n`;
  });
  return ["WEBVTT\n", ...cues].join("\n");
}

function clock(secs: number): string {
  const pair = (part: number) => String(Math.floor(part)).padStart(2, "0");
  return `${pair(secs / 60)}:${pair(secs % 60)}.000`;
}

const folder = join(import.meta.dirname, "../public/audio");
mkdirSync(folder, { recursive: true });
for (const session of SESSIONS) {
  writeFileSync(join(folder, `${session.name}.wav`), wav(session));
  writeFileSync(join(folder, `${session.name}.vtt`), captions(session));
}
