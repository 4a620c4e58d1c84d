import { data } from "react-router";
import { sourceOf } from "~/blocks/chunks";
import { present } from "~/blocks/presenters.server";
import type { Section } from "~/blocks/types";
import { type PageContentFragment, PageDocument, PageOnlyDocument, type PageQuery } from "~/gen/graphql";
import { ContentUnavailable, query } from "~/lib/graphql/client.server";
import type { Locale } from "~/lib/locale";
import { log } from "~/lib/log.server";
import { cacheHeaders, type Rendered } from "~/lib/page/caching";
import { chunkFiles } from "~/lib/page/chunks.server";
import { originOf, seoLinks } from "~/lib/page/seo";
import { settings } from "~/lib/settings.server";

const NOT_FOUND_PATH = "/404";

interface Found {
  page: PageContentFragment;
  chrome: PageQuery["chrome"];
  found: boolean;
}

const RETRY_AFTER_SECS = 5;

/** Everything a page shows. It depends on the path alone: the gateway keeps the answer for everybody. */
export async function loadPage(request: Request, locale: Locale, urlPath: string) {
  const { page, chrome, found } = await findPage(locale, urlPath).catch(unavailable);
  const { publicUrl, marketingBaseUrl } = settings();
  const rendered: Rendered = { locale, urlPath, found, offers: offersOf(page.sections) };
  return data(
    {
      locale,
      urlPath,
      contentLocale: page.contentLocale,
      template: page.template,
      pageType: page.pageType,
      className: page.className,
      favicon: page.favicon,
      seo: page.seo,
      links: found ? seoLinks(originOf(request, publicUrl), locale, urlPath, page.availableLocales) : null,
      sections: page.sections.map((section) => present(section, { locale, template: page.template })),
      chunks: chunksOf(page.sections, locale),
      navigation: chrome?.navigation ?? null,
      footer: chrome?.footer ?? null,
      marketingBaseUrl,
    },
    { status: found ? 200 : 404, headers: cacheHeaders(rendered) },
  );
}

/** Content that cannot be had just now is 503, so that whoever keeps pages shows the one before. */
function unavailable(fault: unknown): never {
  if (!(fault instanceof ContentUnavailable)) throw fault;
  log("error", fault.message, { cause: String(fault.cause ?? "") });
  throw data(null, { status: 503, headers: { "cache-control": "no-store", "retry-after": String(RETRY_AFTER_SECS) } });
}

async function findPage(locale: Locale, urlPath: string): Promise<Found> {
  const { page, chrome } = await query(PageDocument, { urlPath, locale });
  if (page) return { page, chrome, found: urlPath !== NOT_FOUND_PATH };
  const fallback = await query(PageOnlyDocument, { urlPath: NOT_FOUND_PATH, locale });
  if (!fallback.page) throw data(null, { status: 404, headers: { "cache-control": "no-store" } });
  return { page: fallback.page, chrome, found: false };
}

/** What the browser needs beside the route itself: the page's blocks and its language. */
function chunksOf(sections: Section[], locale: Locale) {
  const blocks = sections.map((section) => sourceOf(section.__typename));
  const files = [...new Set(blocks), `locales/${locale}.json`].map(chunkFiles);
  return { modules: files.flatMap(({ modules }) => modules), styles: files.flatMap(({ styles }) => styles) };
}

function offersOf(sections: Section[]): Rendered["offers"] {
  const plans = sections.flatMap((section) => (section.__typename === "PlanList" ? section.plans : []));
  if (plans.length === 0) return "none";
  return plans.every((plan) => plan.price.offer) ? "shown" : "missing";
}
