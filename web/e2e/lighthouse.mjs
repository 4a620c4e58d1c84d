// Lighthouse as a phone sees the site: node lighthouse.mjs [url of a running Stillpoint]. Needs a quiet machine.
// The program itself is fetched when it is asked for: 100 MB that no test needs.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VERSION = "13.5.0";
const LOCALES = ["en", "ar", "ja"];
const PAGES = {
  home: "",
  landing: "landing/sleep/",
  article: "articles/how-to-fall-asleep/",
  pricing: "pricing/",
  checkout: "payment/monthly/",
};
/** For members alone, and for no search engine. */
const PERSONAL = new Set(["checkout"]);
const GOALS = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
const CHROME = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"];

const base = process.argv[2] ?? process.env.BASE_URL ?? "http://localhost:8080";
const folder = mkdtempSync(join(tmpdir(), "lighthouse-"));

/** A member's cookie. */
async function signedUp() {
  const member = {
    name: "Lighthouse",
    email: `lighthouse-${Date.now()}@example.com`,
    password: "a-long-passphrase-2026",
  };
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${base}/api/auth/register`, { method: "POST", headers, body: JSON.stringify(member) });
  if (!answer.ok) throw new Error(`Signing up: ${answer.status} ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

function measure(url, file, cookie) {
  const command = process.env.LIGHTHOUSE_BIN ?? "npx";
  const program = process.env.LIGHTHOUSE_BIN ? [] : ["--yes", `lighthouse@${VERSION}`];
  const categories = Object.keys(GOALS).join(",");
  const options = ["--quiet", "--output=json", `--output-path=${file}`, `--only-categories=${categories}`];
  if (cookie) options.push(`--extra-headers=${JSON.stringify({ Cookie: cookie })}`);
  const env = { ...process.env, CHROME_PATH: process.env.CHROMIUM_BIN ?? "/usr/bin/chromium-headless-shell" };
  const { status, stderr } = spawnSync(command, [...program, url, ...options, `--chrome-flags=${CHROME.join(" ")}`], {
    env,
  });
  if (status !== 0) throw new Error(`${url}: ${stderr}`);
  return JSON.parse(readFileSync(file, "utf8"));
}

/** What cost points. */
function faultsOf({ audits, categories }) {
  const refs = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  const low = refs.map(({ id }) => audits[id]).filter(({ score }) => score !== null && score < 0.9);
  return [...new Set(low.map(({ id, displayValue }) => `${id} ${displayValue ?? ""}`.trim()))];
}

const cookie = await signedUp();
const rows = [];
let missed = false;
for (const locale of LOCALES) {
  for (const [name, path] of Object.entries(PAGES)) {
    const isPersonal = PERSONAL.has(name);
    const file = join(folder, `${locale}-${name}.json`);
    const report = measure(`${base}/${locale}/${path}`, file, isPersonal ? cookie : null);
    const scores = Object.keys(GOALS).map((id) => Math.round((report.categories[id]?.score ?? 0) * 100));
    missed ||= Object.entries(GOALS).some(
      ([id, goal], at) => (scores[at] ?? 0) < goal && !(isPersonal && id === "seo"),
    );
    const times = ["largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"];
    rows.push([`${locale} ${name}`, ...scores, ...times.map((id) => report.audits[id].displayValue)]);
    console.log(rows.at(-1)?.join("  "), faultsOf(report).join(" · "));
  }
}
console.log(`\n| page | ${Object.keys(GOALS).join(" | ")} | LCP | TBT | CLS |\n|${" --- |".repeat(8)}`);
for (const row of rows) console.log(`| ${row.join(" | ")} |`);
console.log(`\nThe reports are in ${folder}.`);
process.exitCode = missed ? 1 : 0;
