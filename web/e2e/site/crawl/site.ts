/** Walks a whole site from its sitemap, following every link that stays on it. */
import { type Document, read } from "./document.ts";

const AT_ONCE = 6;

export interface Site {
  /** Addresses the sitemap names. */
  listed: Set<string>;
  documents: Map<string, Document>;
  /** Pages that link to an address, a few of them. */
  linkedFrom: Map<string, string[]>;
}

/** From the sitemap, and from `also`: what nothing links to, but people know. */
export async function crawl(origin: string, also: string[]): Promise<Site> {
  const listed = new Set(await sitemap(`${origin}/sitemap.xml`));
  const site: Site = { listed, documents: new Map(), linkedFrom: new Map() };
  const known = new Set([...listed, ...also]);
  const waiting = [...known];
  const worker = async () => {
    for (let url = waiting.pop(); url; url = waiting.pop()) {
      const document = await read(url);
      site.documents.set(url, document);
      for (const next of nextOf(document, origin)) {
        site.linkedFrom.set(next, [...(site.linkedFrom.get(next) ?? []), url].slice(0, 3));
        if (!known.has(next)) {
          known.add(next);
          waiting.push(next);
        }
      }
    }
  };
  while (waiting.length > 0) await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return site;
}

/** The addresses a sitemap, or the sitemaps it lists, name. */
async function sitemap(url: string): Promise<string[]> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const text = await response.text();
  const found = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) =>
    (address ?? "").replaceAll("&amp;", "&"),
  );
  if (!text.includes("<sitemapindex")) return found;
  return (await Promise.all(found.map(sitemap))).flat();
}

function nextOf(document: Document, origin: string): string[] {
  const base = document.status === 200 ? document.links.map(({ href }) => href) : [];
  return base
    .filter((href) => !/^(#|mailto:|tel:)/.test(href))
    .map((href) => new URL(href, document.url))
    .filter((url) => url.origin === origin)
    .map((url) => `${url.origin}${url.pathname}`);
}
