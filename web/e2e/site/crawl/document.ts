/** What a search engine reads from one page of ours. */
import { type HTMLElement, parse } from "node-html-parser";

export interface Document {
  url: string;
  status: number;
  /** Where the server sent us instead; null when it answered itself. */
  location: string | null;
  lang: string | null;
  dir: string | null;
  title: string;
  description: string;
  canonical: string | null;
  robots: string;
  alternates: Map<string, string>;
  headings: number[];
  links: Link[];
  /** Pictures, styles, scripts and icons of this site. */
  files: string[];
  picturesWithoutAlt: string[];
  ids: Set<string>;
  data: unknown[];
}

export interface Link {
  href: string;
  target: string;
  rel: string;
}

const fileLinks = ["stylesheet", "icon", "modulepreload", "preload", "manifest"];

export async function read(url: string): Promise<Document> {
  const response = await fetch(url, { redirect: "manual", headers: { "accept-language": "en" } });
  const root = parse(await response.text());
  const attribute = (selector: string, name: string) => root.querySelector(selector)?.getAttribute(name) ?? null;
  return {
    url,
    status: response.status,
    location: response.headers.get("location"),
    lang: attribute("html", "lang"),
    dir: attribute("html", "dir"),
    title: root.querySelector("title")?.text.trim() ?? "",
    description: attribute('meta[name="description"]', "content") ?? "",
    canonical: attribute('link[rel="canonical"]', "href"),
    robots: attribute('meta[name="robots"]', "content") ?? "",
    alternates: new Map(
      root
        .querySelectorAll('link[rel="alternate"][hreflang]')
        .map((link) => [link.getAttribute("hreflang") ?? "", link.getAttribute("href") ?? ""]),
    ),
    headings: root.querySelectorAll("h1,h2,h3,h4,h5,h6").map((heading) => Number(heading.tagName.slice(1))),
    links: root.querySelectorAll("a[href]").map(link),
    files: filesOf(root, url),
    picturesWithoutAlt: root.querySelectorAll("img:not([alt])").map((picture) => picture.getAttribute("src") ?? "?"),
    ids: new Set(root.querySelectorAll("[id]").map((element) => element.id)),
    data: root.querySelectorAll('script[type="application/ld+json"]').map((script) => JSON.parse(script.text)),
  };
}

function link(anchor: HTMLElement): Link {
  return {
    href: decoded(anchor.getAttribute("href") ?? ""),
    target: anchor.getAttribute("target") ?? "",
    rel: anchor.getAttribute("rel") ?? "",
  };
}

function filesOf(root: HTMLElement, base: string): string[] {
  const sources = root.querySelectorAll("img[src], script[src], audio[src], video[src], source[src]");
  const found = [
    ...sources.map((element) => element.getAttribute("src")),
    ...root
      .querySelectorAll("link[href]")
      .filter((element) => fileLinks.includes(element.getAttribute("rel") ?? ""))
      .map((element) => element.getAttribute("href")),
  ];
  const named = found.filter((file): file is string => Boolean(file) && !file?.startsWith("data:"));
  return [...new Set(named)].map((file) => new URL(decoded(file), base).href);
}

function decoded(text: string): string {
  return text.replaceAll("&amp;", "&");
}
