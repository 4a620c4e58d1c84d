import { data } from "react-router";
import { kindsOf, sourceOf } from "~/blocks/chunks";
import { presentNavigation } from "~/blocks/presenting/colours.server";
import { present } from "~/blocks/presenting/presenters.server";
import type { Section } from "~/blocks/types";
import { type PageContentFragment, PageDocument, PageOnlyDocument, type PageQuery } from "~/gen/graphql";
import { ContentUnavailable, query } from "~/lib/graphql/client.server";
import { isLocale, type Locale } from "~/lib/locale";
import { cacheHeaders, type Rendered } from "~/lib/page/caching";
import { chunkFiles, type Manifest } from "~/lib/page/chunks.server";
import { withLocalLinks } from "~/lib/page/local-links";
import { originOf, seoLinks } from "~/lib/page/seo";
import { absolute, structuredData } from "~/lib/page/seo-data";
import { log } from "~/lib/server/log.server";
import { settings } from "~/lib/server/settings.server";
import { layoutOf } from "./templates";

const NOT_FOUND_PATH = "/404";

interface Found {
  page: PageContentFragment;
  chrome: PageQuery["chrome"];
  found: boolean;
}

interface PageRequest {
  locale: Locale;
  urlPath: string;
  previewToken: string | null;
}

const NO_STORE = { "cache-control": "no-store" };
const RETRY_AFTER_SECS = 5;

/** The token of a preview link. Only the gateway sets this header; it removes a visitor's. */
const PREVIEW_TOKEN = "x-stillpoint-preview";

/** Loads a page. It depends on the path alone, so the gateway caches it; drafts of a preview token are not cached. */
export async function loadPage(request: Request, locale: Locale, urlPath: string) {
  const previewToken = request.headers.get(PREVIEW_TOKEN);
  const { page, chrome, found } = await findPage({ locale, urlPath, previewToken }).catch(unavailable);
  const { publicUrl, marketingBaseUrl, trAnalyticsScriptUrl, autologinUrl } = settings();
  const sections = withLocalLinks(page.sections, locale);
  const rendered: Rendered = { locale, urlPath, found, offers: offersOf(page.sections) };
  const head = headOf(page, { locale, urlPath, origin: originOf(request, publicUrl) });
  return data(
    {
      locale,
      urlPath,
      language: head.language,
      template: page.template,
      pageType: page.pageType,
      className: page.className,
      favicon: page.favicon,
      seo: page.seo,
      imageUrl: head.imageUrl,
      links: found ? head.links : null,
      structuredData: found ? head.structuredData : null,
      sections: sections.map((section) => present(section, { locale, template: page.template })),
      chunks: chunksOf(page.sections, locale),
      navigation: chrome?.navigation ? presentNavigation(chrome.navigation) : null,
      footer: chrome?.footer ?? null,
      marketingBaseUrl,
      autologinUrl,
      analyticsScriptUrl: locale === "tr" ? trAnalyticsScriptUrl : null,
    },
    { status: found ? 200 : 404, headers: previewToken ? NO_STORE : cacheHeaders(rendered) },
  );
}

interface PageLocation {
  locale: Locale;
  urlPath: string;
  origin: string;
}

/** Metadata for search engines and other sites. */
function headOf(page: PageContentFragment, location: PageLocation) {
  const { seo, contentLocale, availableLocales: available } = page;
  const language = isLocale(contentLocale) ? contentLocale : location.locale;
  const links = seoLinks({ ...location, available, canonicalPath: seo.canonicalPath });
  const { canonical } = links;
  const isHome = layoutOf(page.template).isHome;
  return {
    language,
    links,
    imageUrl: seo.imageUrl && absolute(seo.imageUrl, location.origin),
    structuredData: structuredData({
      ...location,
      language,
      seo,
      canonical,
      isHome,
      questions: questionsOf(page.sections),
    }),
  };
}

function questionsOf(sections: Section[]) {
  return sections.flatMap((section) => (section.__typename === "Accordion" && section.faq ? section.items : []));
}

/** Header and footer for a page without content of its own. Without the content service the page has none. */
export async function loadChrome(locale: Locale, urlPath: string) {
  const chrome = (await query(PageDocument, { urlPath, locale }).catch(withoutContent))?.chrome;
  return {
    navigation: chrome?.navigation ? presentNavigation(chrome.navigation) : null,
    footer: chrome?.footer ?? null,
    marketingBaseUrl: settings().marketingBaseUrl,
  };
}

function withoutContent(fault: unknown): null {
  if (!(fault instanceof ContentUnavailable)) throw fault;
  log("warn", fault.message, { cause: String(fault.cause ?? "") });
  return null;
}

/** Unavailable content is a 503, so that caches serve the stale page. */
function unavailable(fault: unknown): never {
  if (!(fault instanceof ContentUnavailable)) throw fault;
  log("error", fault.message, { cause: String(fault.cause ?? "") });
  throw data(null, { status: 503, headers: { ...NO_STORE, "retry-after": String(RETRY_AFTER_SECS) } });
}

async function findPage({ locale, urlPath, previewToken }: PageRequest): Promise<Found> {
  const { page, chrome } = await query(PageDocument, { urlPath, locale }, previewToken);
  if (page) return { page, chrome, found: urlPath !== NOT_FOUND_PATH };
  const fallback = await query(PageOnlyDocument, { urlPath: NOT_FOUND_PATH, locale }, previewToken);
  if (!fallback.page) throw data(null, { status: 404, headers: NO_STORE });
  return { page: fallback.page, chrome, found: false };
}

/** Files for the browser beside the route: the page's blocks and their texts. */
export function chunksOf(sections: Section[], locale: Locale, manifest?: Manifest) {
  const sources = [...kindsOf(sections).map(sourceOf), `locales/${locale}.json`];
  const separateTexts = ["account", "journeys", "subscription"].map((folder) => `locales/${folder}/${locale}.json`);
  return chunkFiles(sources, separateTexts, manifest);
}

/** Prices are in many blocks, also nested ones: every `offer` field counts. */
function offersOf(sections: Section[]): Rendered["offers"] {
  const offers = valuesOf("offer", sections);
  if (offers.length === 0) return "none";
  return offers.every(Boolean) ? "shown" : "missing";
}

function valuesOf(field: string, node: unknown): unknown[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) => (name === field ? [value] : valuesOf(field, value)));
}
