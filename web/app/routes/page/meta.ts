import type { MetaDescriptor } from "react-router";
import { type Locale, openGraphLocale } from "~/lib/locale";
import type { SeoLinks } from "~/lib/page/seo";
import type { StructuredData } from "~/lib/page/seo-data";

interface PageHead {
  /** Language of the texts, which differs from the path's on an untranslated page. */
  language: Locale;
  favicon: string | null;
  seo: { title: string; description: string; noindex: boolean; nofollow: boolean };
  /** Absolute. */
  imageUrl: string | null;
  /** Null on pages that replace a missing one. */
  links: SeoLinks | null;
  structuredData: StructuredData | null;
}

export function pageMeta({ language, favicon, seo, imageUrl, links, structuredData }: PageHead): MetaDescriptor[] {
  const isHidden = seo.noindex || !links;
  const tags: MetaDescriptor[] = [
    { title: seo.title },
    { name: "description", content: seo.description },
    { name: "robots", content: `${isHidden ? "noindex" : "index"}, ${seo.nofollow ? "nofollow" : "follow"}` },
    { property: "og:title", content: seo.title },
    { property: "og:description", content: seo.description },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: "Stillpoint" },
    { property: "og:locale", content: openGraphLocale(language) },
    { name: "twitter:card", content: imageUrl ? "summary_large_image" : "summary" },
    { tagName: "link", rel: "icon", href: favicon || "/favicon.svg", type: favicon ? undefined : "image/svg+xml" },
  ];
  if (imageUrl) tags.push({ property: "og:image", content: imageUrl });
  if (links && !seo.noindex) tags.push(...linkTags(links));
  if (links && structuredData) tags.push({ "script:ld+json": { ...structuredData } });
  return tags;
}

function linkTags({ canonical, alternates }: SeoLinks): MetaDescriptor[] {
  return [
    { property: "og:url", content: canonical },
    { tagName: "link", rel: "canonical", href: canonical },
    ...alternates.map(({ hreflang, href }) => ({ tagName: "link", rel: "alternate", hrefLang: hreflang, href })),
  ];
}
