/** Every page of the site as a search engine reads it. One walk; each test checks all of it. */
import { expect, test } from "@playwright/test";
import { baseUrl } from "../support/stillpoint.ts";
import type { Document } from "./crawl/document.ts";
import { crawl, type Site } from "./crawl/site.ts";
import { faultsOf } from "./crawl/structured-data.ts";

const LOCALES = ["ar", "az", "da", "de", "en", "es", "fr", "it", "ja", "ko", "pl", "pt", "ru", "tr"];
const RIGHT_TO_LEFT = ["ar"];

let site: Site;

test.describe.configure({ mode: "default" });

test.beforeAll(async () => {
  test.setTimeout(600_000);
  const { origin } = new URL(baseUrl);
  const homes = LOCALES.map((locale) => `${origin}/${locale}/`);
  site = await crawl(origin, homes);
});

const pages = () => [...site.documents.values()].filter(({ status }) => status === 200);
const isIndexed = ({ robots }: Document) => !robots.includes("noindex");

/** One line for each fault of each page, so that a failure lists them all. */
const faults = (of: (page: Document) => string[]) =>
  pages().flatMap((page) => of(page).map((fault) => `${new URL(page.url).pathname}: ${fault}`));

test("every page of the sitemap and every link inside the site answers 200, without a detour", () => {
  const wrong = [...site.documents.values()].filter(({ status }) => status !== 200);
  const failures = wrong.map(
    ({ url, status, location }) =>
      `${url} answers ${status} ${location ?? ""} (linked from ${site.linkedFrom.get(url)?.join(", ") ?? "the sitemap"})`,
  );
  expect(failures).toEqual([]);
});

test("the site is there in every language", () => {
  const { origin } = new URL(baseUrl);
  const missing = LOCALES.filter((locale) => site.documents.get(`${origin}/${locale}/`)?.status !== 200);
  expect(missing).toEqual([]);
  expect(site.documents.size).toBeGreaterThan(LOCALES.length * 20);
});

test("every page says its language and direction, and has one title of its own", () => {
  const failures = faults(({ url, lang, dir, title, description, headings, ...page }) => {
    const locale = new URL(url).pathname.split("/")[1] ?? "";
    const found: string[] = [];
    if (lang !== locale) found.push(`is in ${lang}`);
    if (dir !== (RIGHT_TO_LEFT.includes(locale) ? "rtl" : "ltr")) found.push(`runs ${dir}`);
    if (!title) found.push("has no title");
    if (isIndexed({ ...page, url, lang, dir, title, description, headings }) && !description)
      found.push("has no description");
    if (headings.filter((level) => level === 1).length !== 1) found.push(`has headings ${headings.join(" ")}`);
    const skipped = headings.find((level, index) => level > (headings[index - 1] ?? 0) + 1);
    if (skipped) found.push(`skips to h${skipped}: ${headings.join(" ")}`);
    return found;
  });
  expect(failures).toEqual([]);
});

test("canonical addresses name themselves", () => {
  const failures = faults((page) => {
    if (!isIndexed(page)) return [];
    if (!page.canonical) return ["has no canonical address"];
    const target = site.documents.get(page.canonical);
    if (!target) return [`names ${page.canonical}, which nothing links to`];
    return target.canonical === page.canonical ? [] : [`names ${page.canonical}, which names ${target.canonical}`];
  });
  expect(failures).toEqual([]);
});

test("translations name each other", () => {
  const failures = faults((page) => {
    if (page.alternates.size === 0) return [];
    const set = JSON.stringify([...page.alternates].sort());
    const found = [...page.alternates].flatMap(([language, url]) => {
      const other = site.documents.get(url);
      if (!other) return [`names ${url} for ${language}, which is not there`];
      if (!isIndexed(other)) return [`names ${url}, which is not indexed`];
      const back = JSON.stringify([...other.alternates].sort());
      return back === set ? [] : [`names ${url}, which does not name the same ones back`];
    });
    const own = [...page.alternates.values()].includes(page.url);
    if (!own && page.canonical === page.url) found.push("does not name itself");
    if (!page.alternates.has("x-default")) found.push("has no x-default");
    return found;
  });
  expect(failures).toEqual([]);
});

test("the sitemap has every page that search engines may show, and no other", () => {
  const shown = pages().filter((page) => isIndexed(page) && page.canonical === page.url);
  const missing = shown.filter(({ url }) => !site.listed.has(url)).map(({ url }) => `${url} is missing`);
  const urls = new Set(shown.map(({ url }) => url));
  const extra = [...site.listed].filter((url) => !urls.has(url)).map((url) => `${url} should not be listed`);
  expect([...missing, ...extra]).toEqual([]);
});

test("structured data is complete", () => {
  const failures = faults(({ data }) => data.flatMap(faultsOf));
  expect(failures).toEqual([]);
  const kinds = new Set(JSON.stringify(pages().map(({ data }) => data)).match(/"@type":"\w+"/g));
  for (const kind of ["Organization", "BreadcrumbList", "FAQPage", "Article"]) {
    expect([...kinds]).toContain(`"@type":"${kind}"`);
  }
});

test("links to elsewhere open beside the site, and cannot reach back into it", () => {
  const origin = new URL(baseUrl).origin;
  const failures = faults(({ links, url }) =>
    links
      .filter(({ href }) => /^https?:/.test(href) && new URL(href, url).origin !== origin)
      .filter(({ target, rel }) => target === "_blank" && !(rel.includes("noopener") && rel.includes("noreferrer")))
      .map(({ href }) => `${href} may reach back`),
  );
  expect(failures).toEqual([]);
});

test("links inside a page lead to something on it", () => {
  const failures = faults(({ links, ids }) =>
    links.filter(({ href }) => /^#./.test(href) && !ids.has(href.slice(1))).map(({ href }) => `${href} leads nowhere`),
  );
  expect(failures).toEqual([]);
});

test("every picture, style and script of the site is there, and every picture has its text", async () => {
  const origin = new URL(baseUrl).origin;
  const files = new Map(pages().flatMap(({ files: own, url }) => own.map((file) => [file, url] as const)));
  const failures = faults(({ picturesWithoutAlt }) => picturesWithoutAlt.map((picture) => `${picture} has no alt`));
  const waiting = [...files].filter(([file]) => new URL(file).origin === origin);
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [file, url] = next;
      const { status } = await fetch(file, { method: "HEAD" });
      if (status !== 200) failures.push(`${file} of ${url} answers ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  expect(failures).toEqual([]);
});
