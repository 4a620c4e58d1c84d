import type { MetaDescriptor } from "react-router";
import { type Locale, locales } from "~/lib/locale";
import type { SeoLinks } from "~/lib/page/seo";

interface PageHead {
  locale: Locale;
  template: string;
  favicon: string | null;
  seo: { title: string; description: string; noindex: boolean; nofollow: boolean; imageUrl: string | null };
  /** None on pages that stand for a missing one. */
  links: SeoLinks | null;
}

export function pageMeta({ locale, template, favicon, seo, links }: PageHead): MetaDescriptor[] {
  const robots = [(seo.noindex || !links) && "noindex", seo.nofollow && "nofollow"].filter(Boolean).join(", ");
  const tags: MetaDescriptor[] = [
    { title: seo.title },
    { name: "description", content: seo.description },
    { property: "og:title", content: seo.title },
    { property: "og:description", content: seo.description },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: "Stillpoint" },
    { property: "og:locale", content: locales[locale].tag.replace("-", "_") },
    { tagName: "link", rel: "icon", href: favicon || "/favicon.svg", type: favicon ? undefined : "image/svg+xml" },
  ];
  if (seo.imageUrl) tags.push({ property: "og:image", content: seo.imageUrl });
  if (robots) tags.push({ name: "robots", content: robots });
  if (links && !seo.noindex) tags.push(...linkTags(links));
  if (links && template === "Home") tags.push({ "script:ld+json": organization(links.canonical, seo.description) });
  return tags;
}

function linkTags({ canonical, alternates }: SeoLinks): MetaDescriptor[] {
  return [
    { property: "og:url", content: canonical },
    { tagName: "link", rel: "canonical", href: canonical },
    ...alternates.map(({ hreflang, href }) => ({ tagName: "link", rel: "alternate", hrefLang: hreflang, href })),
  ];
}

function organization(url: string, description: string) {
  return {
    "@context": "https://schema.org",
    "@graph": [
      { "@type": "Organization", "@id": "#organization", name: "Stillpoint", url, description },
      { "@type": "WebSite", name: "Stillpoint", url, publisher: { "@id": "#organization" } },
    ],
  };
}
