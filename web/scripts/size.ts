/** Checks the scripts and styles of a first visit to each kind of page against their budgets. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sourceOf } from "../app/blocks/chunks.ts";

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
}

interface Budget {
  page: string;
  blocks: string[];
  scriptKb: number;
}

const PLANS = ["Accordion", "PlanList", "TrialDialog"];
const HOME = ["CallToActionBanner", "FeatureCards", "Hero", "MeditationPlayer", "ProgramSamples", "Testimonials"];
const PRICING = ["ButtonRow", "ExplanationBoxes", "Hero", "MarkdownText", "PaymentFooter", "Qr", "Tag"];

const BUDGETS: Budget[] = [
  { page: "home", blocks: [...HOME, "Accordion", "PlanList", "ReadMoreArticles"], scriptKb: 150 },
  { page: "landing", blocks: ["Accordion", "CampaignLanding"], scriptKb: 150 },
  {
    page: "article",
    blocks: ["CallToActionBanner", "Heading", "MarkdownText", "Picture", "ReadMoreArticles"],
    scriptKb: 150,
  },
  { page: "pricing", blocks: [...PRICING, ...PLANS], scriptKb: 150 },
  { page: "sign-up", blocks: ["LoginRegister"], scriptKb: 175 },
  { page: "account", blocks: ["MemberAccount"], scriptKb: 175 },
  { page: "checkout", blocks: ["PaymentForm"], scriptKb: 180 },
  {
    page: "checkout, two columns",
    blocks: ["TwoColPaymentForm", "PaymentFooter", "TrialDialog", "Accordion"],
    scriptKb: 180,
  },
  { page: "one-time", blocks: ["OneTimePaymentForm"], scriptKb: 180 },
  { page: "addition", blocks: ["OneTimePaymentWithAdditionForm"], scriptKb: 180 },
  { page: "success", blocks: ["SuccessPage"], scriptKb: 150 },
];
const STYLE_KB = 20;

const CLIENT = join(import.meta.dirname, "../build/client");
const ROUTE = "?__react-router-build-client-route";
const ALWAYS = ["app/entry.client.tsx", `app/root.tsx${ROUTE}`, `app/routes/page.tsx${ROUTE}`];

const manifest = JSON.parse(readFileSync(join(CLIENT, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;

function chunkOf(key: string): Chunk {
  const found = Object.entries(manifest).find(([name]) => name === key || name.endsWith(`/${key}`));
  if (!found) throw new Error(`${key} is not in the build: run npm run build first`);
  return found[1];
}

function withImports(keys: string[], files = new Set<string>()): Set<string> {
  for (const key of keys) {
    const chunk = chunkOf(key);
    if (files.has(chunk.file)) continue;
    files.add(chunk.file);
    withImports(chunk.imports ?? [], files);
  }
  return files;
}

function kilobytes(files: Iterable<string>): number {
  let bytes = 0;
  for (const file of files) bytes += gzipSync(readFileSync(join(CLIENT, file)), { level: 9 }).byteLength;
  return Math.round(bytes / 100) / 10;
}

/** Whether one of these chunks imports a separate catalogue. */
function importsTexts(files: Set<string>, texts: RegExp): boolean {
  const loaded = Object.values(manifest).filter(({ file }) => files.has(file));
  return loaded.some(({ dynamicImports = [] }) => dynamicImports.some((key) => texts.test(key)));
}

/** In the language with the largest catalogue. */
function largest(catalogues: RegExp): string {
  const spent = (key: string) => kilobytes([chunkOf(key).file]);
  return (
    Object.keys(manifest)
      .filter((key) => catalogues.test(key))
      .toSorted((one, other) => spent(other) - spent(one))[0] ?? ""
  );
}
const texts = largest(/(^|\/)locales\/\w+\.json$/);
const SEPARATE_CATALOGUES = ["account", "journeys", "subscription"];

/** The route table that the browser loads beside the chunks. */
const routeTable = readdirSync(join(CLIENT, "assets")).filter((file) => /^manifest-.*\.js$/.test(file));

let isOver = false;
for (const { page, blocks, scriptKb } of BUDGETS) {
  const files = withImports([...ALWAYS, texts, ...blocks.map(sourceOf)]);
  for (const folder of SEPARATE_CATALOGUES) {
    const waitsFor = new RegExp(`(^|/)locales/${folder}/\\w+\\.json$`);
    if (importsTexts(files, waitsFor)) withImports([largest(waitsFor)], files);
  }
  for (const file of routeTable) files.add(`assets/${file}`);
  const spent = kilobytes(files);
  isOver ||= spent > scriptKb;
  console.log(`${page.padEnd(10)} ${spent.toFixed(1)} kB of ${scriptKb} kB scripts (gzip), ${files.size} files`);
}

const styles = kilobytes([chunkOf("app/styles/app.css").file]);
isOver ||= styles > STYLE_KB;
console.log(`${"styles".padEnd(10)} ${styles.toFixed(1)} kB of ${STYLE_KB} kB (gzip)`);
process.exitCode = isOver ? 1 : 0;
