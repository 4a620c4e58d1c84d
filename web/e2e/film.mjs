// Draws the film of /istanbulpanoramasi/: node film.mjs ../public/video/istanbul-panorama.webm
// Every frame is computed, the browser's own encoder (WebCodecs) compresses them, and `webm` below writes the container.
import { writeFileSync } from "node:fs";
import { chromium } from "@playwright/test";

const [file] = process.argv.slice(2);
const film = { width: 640, height: 360, framesPerSec: 15, seconds: 20, bitsPerSec: 62_000, keyEverySecs: 5 };
const MOST_BYTES = 200_000;

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_BIN, args: ["--no-sandbox"] });
const page = await browser.newPage();
// WebCodecs exists on secure pages only.
await page.route("https://film.stillpoint.example/", (route) => route.fulfill({ contentType: "text/html", body: "" }));
await page.goto("https://film.stillpoint.example/");
const frames = await page.evaluate(draw, film);
await browser.close();

const bytes = webm(frames, film);
if (bytes.length > MOST_BYTES) throw new Error(`${bytes.length} bytes are more than the ${MOST_BYTES} a page may load`);
writeFileSync(file, bytes);
console.log(`${file}: ${frames.length} frames, ${bytes.length} bytes`);

/** Runs in the browser. Early morning over the water: the sky brightens, the hills move past each other, no ferry yet. */
async function draw({ width, height, framesPerSec, seconds, bitsPerSec, keyEverySecs }) {
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext("2d");
  const horizon = height * 0.62;
  const mix = (from, to, share) => from.map((part, index) => Math.round(part + (to[index] - part) * share));
  const css = (colour) => `rgb(${colour.join(" ")})`;
  const night = { top: [29, 26, 58], middle: [47, 42, 99], low: [105, 83, 187] };
  const dawn = { top: [88, 67, 166], middle: [207, 198, 242], low: [244, 165, 138] };

  const sky = (time) => {
    const light = pen.createLinearGradient(0, 0, 0, horizon);
    light.addColorStop(0, css(mix(night.top, dawn.top, time)));
    light.addColorStop(0.6, css(mix(night.middle, dawn.middle, time * 0.8)));
    light.addColorStop(1, css(mix(night.low, dawn.low, time)));
    pen.fillStyle = light;
    pen.fillRect(0, 0, width, horizon);
    const [x, y] = [width * 0.66, horizon + 26 - time * 74];
    const glow = pen.createRadialGradient(x, y, 4, x, y, 190);
    glow.addColorStop(0, `rgb(255 243 214 / ${0.35 + 0.6 * time})`);
    glow.addColorStop(0.14, `rgb(242 199 110 / ${0.25 + 0.4 * time})`);
    glow.addColorStop(1, "rgb(242 199 110 / 0)");
    pen.fillStyle = glow;
    pen.fillRect(0, 0, width, horizon);
  };

  const hills = (time, { pan, base, rise, colour, waves, town }) => {
    const shift = time * pan;
    const top = (x) =>
      base - waves.reduce((sum, [length, size, phase]) => sum + size * Math.sin((x + shift) / length + phase), rise);
    pen.fillStyle = css(mix(colour, [238, 236, 248], time * 0.12));
    pen.beginPath();
    pen.moveTo(0, horizon);
    for (let x = 0; x <= width; x += 4) pen.lineTo(x, top(x));
    pen.lineTo(width, horizon);
    pen.fill();
    for (const [at, size] of town) mosque(at - shift, top(at - shift) + 3, size);
  };

  const mosque = (x, y, size) => {
    pen.beginPath();
    pen.arc(x, y - size * 0.5, size * 0.62, Math.PI, 0);
    pen.rect(x - size * 0.62, y - size * 0.5, size * 1.24, size * 0.7);
    pen.fill();
    pen.fillRect(x - 0.8, y - size * 1.35, 1.6, size * 0.3);
    for (const side of [-1, 1]) {
      const foot = x + side * size * 1.05;
      pen.fillRect(foot - size * 0.06, y - size * 1.9, size * 0.12, size * 2.1);
      pen.beginPath();
      pen.moveTo(foot - size * 0.09, y - size * 1.88);
      pen.lineTo(foot, y - size * 2.3);
      pen.lineTo(foot + size * 0.09, y - size * 1.88);
      pen.fill();
    }
  };

  const water = (time, now) => {
    const light = pen.createLinearGradient(0, horizon, 0, height);
    light.addColorStop(0, css(mix(night.low, dawn.low, time * 0.85)));
    light.addColorStop(1, css(mix(night.top, night.middle, time)));
    pen.fillStyle = light;
    pen.fillRect(0, horizon, width, height - horizon);
    for (let row = 0; row < 14; row += 1) {
      const y = horizon + 5 + row * row * 0.72;
      const swell = Math.sin(now * 0.7 + row * 1.7);
      const [x, length] = [width * 0.66 + swell * (4 + row * 2), (26 + row * 9) * (0.75 + 0.25 * Math.sin(now + row))];
      pen.fillStyle = `rgb(255 243 214 / ${(0.08 + 0.34 * time) * (1 - row / 18)})`;
      pen.fillRect(x - length / 2, y, length, 1 + row / 7);
    }
  };

  const far = {
    pan: 14,
    base: horizon,
    rise: 24,
    colour: [120, 104, 178],
    waves: [
      [120, 12, 0.4],
      [47, 5, 2],
    ],
    town: [],
  };
  const near = {
    pan: 42,
    base: horizon,
    rise: 13,
    colour: [58, 48, 112],
    waves: [
      [90, 9, 1.9],
      [31, 3, 0],
    ],
    town: [
      [150, 20],
      [372, 13],
      [560, 11],
    ],
  };

  const frames = [];
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      frames.push({
        ms: Math.round(chunk.timestamp / 1000),
        isKey: chunk.type === "key",
        data: btoa(String.fromCharCode(...data)),
      });
    },
    error: (fault) => console.error(fault),
  });
  encoder.configure({
    codec: "vp09.00.10.08",
    width,
    height,
    bitrate: bitsPerSec,
    framerate: framesPerSec,
    latencyMode: "quality",
  });
  for (let index = 0; index < framesPerSec * seconds; index += 1) {
    const now = index / framesPerSec;
    const time = 0.5 - 0.5 * Math.cos((Math.PI * now) / seconds);
    sky(time);
    hills(time, far);
    hills(time, near);
    water(time, now);
    const frame = new VideoFrame(canvas, { timestamp: Math.round(now * 1_000_000) });
    encoder.encode(frame, { keyFrame: index % (framesPerSec * keyEverySecs) === 0 });
    frame.close();
  }
  await encoder.flush();
  return frames;
}

/** A WebM file: one cluster from each key frame on, and cues, so that players can jump. */
function webm(frames, { width, height, seconds }) {
  const clusters = [];
  for (const { ms, isKey, data } of frames) {
    if (isKey) clusters.push({ ms, blocks: [] });
    const cluster = clusters.at(-1);
    const head = Buffer.from([0x81, 0, 0, isKey ? 0x80 : 0]);
    head.writeInt16BE(ms - cluster.ms, 1);
    cluster.blocks.push(element(0xa3, [head, Buffer.from(data, "base64")]));
  }
  const info = element(0x1549a966, [
    number(0x2ad7b1, 1_000_000),
    element(0x4489, [float(seconds * 1000)]),
    text(0x4d80, "Stillpoint"),
    text(0x5741, "Stillpoint"),
  ]);
  const video = element(0xe0, [number(0xb0, width), number(0xba, height)]);
  const track = element(0xae, [number(0xd7, 1), number(0x73c5, 1), number(0x83, 1), text(0x86, "V_VP9"), video]);
  const front = Buffer.concat([info, element(0x1654ae6b, [track])]);
  const parts = clusters.map(({ ms, blocks }) => element(0x1f43b675, [number(0xe7, ms), ...blocks]));
  // Positions are counted from the first byte behind the segment's head, where the cues come first of all: their size must not change.
  const cuesFor = (start) => {
    let at = start;
    const points = clusters.map(({ ms }, index) => {
      const place = element(0xb7, [number(0xf7, 1), number(0xf1, at, 4)]);
      at += parts[index].length;
      return element(0xbb, [number(0xb3, ms, 4), place]);
    });
    return element(0x1c53bb6b, points);
  };
  const cues = cuesFor(front.length + cuesFor(0).length);
  const kind = [number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8), text(0x4282, "webm")];
  const head = element(0x1a45dfa3, [...kind, number(0x4287, 4), number(0x4285, 2)]);
  return Buffer.concat([head, element(0x18538067, [front, cues, ...parts])]);
}

function element(id, parts) {
  const body = Buffer.concat(parts);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | 0x0100000000000000n);
  return Buffer.concat([Buffer.from(id.toString(16).padStart(2, "0"), "hex"), size, body]);
}

function number(id, value, bytes = 4) {
  const body = Buffer.alloc(bytes);
  body.writeUIntBE(value, 0, bytes);
  return element(id, [body]);
}

function text(id, value) {
  return element(id, [Buffer.from(value)]);
}

function float(value) {
  const body = Buffer.alloc(8);
  body.writeDoubleBE(value);
  return body;
}
