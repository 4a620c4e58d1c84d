// Draws the README's picture from a running Stillpoint: node picture.mjs <url> <file.jpg>
import { chromium } from "@playwright/test";

const [url, file] = process.argv.slice(2);
const args = ["--no-sandbox", "--font-render-hinting=none"];
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_BIN, args });
const page = await browser.newPage({ viewport: { width: 1280, height: 780 }, reducedMotion: "reduce" });
await page.goto(url, { waitUntil: "networkidle" });
// JPEG, because the grain of the artwork makes a PNG five times as large.
await page.screenshot({ path: file, type: "jpeg", quality: 86 });
await browser.close();
