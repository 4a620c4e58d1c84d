import { memo } from "react";
import { preloadModule } from "react-dom";
import { data, Link, redirect, useBlocker } from "react-router";
import { present } from "~/blocks/presenting/presenters.server";
import { Blocks } from "~/blocks/render";
import { families } from "~/blocks/samples";
import type { SectionView } from "~/blocks/types";
import { isLocale, type Locale } from "~/lib/locale";
import type { Route } from "./+types/gallery";
import { Contents, type Group, galleryPath, Neighbours, Toolbar } from "./gallery/contents";
import { Parts } from "./gallery/parts";
import { chunksOf } from "./page/load.server";

const HEADERS = { "cache-control": "public, max-age=0, s-maxage=60", "x-robots-tag": "noindex, nofollow" };
/** Listed among the kinds: the parts of blocks. */
const PARTS = "Parts";

export function meta({ params }: Route.MetaArgs) {
  return [
    { title: `${params.kind ?? "Gallery"}, Stillpoint` },
    { name: "robots", content: "noindex, nofollow" },
    { tagName: "link", rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  ];
}

/** All blocks with sample content, or one kind, for development, translation and screenshots. */
export function loader({ params }: Route.LoaderArgs) {
  const { locale, kind } = params;
  if (!isLocale(locale)) throw redirect(galleryPath("en", kind));
  const shown = Object.values(families)
    .flat()
    .filter((sample) => !kind || sample.__typename === kind);
  if (shown.length === 0 && kind !== PARTS) throw data(null, { status: 404, headers: HEADERS });
  const sections = shown.map((sample) => present(sample, { locale, template: "Page" }));
  const groups: Group[] = Object.entries(families).map(([name, samples]) => ({
    name,
    kinds: [...new Set(samples.map((sample) => sample.__typename))].toSorted(),
  }));
  groups.push({ name: "What they are made of", kinds: [PARTS] });
  return data({ locale, kind: kind ?? null, groups, sections, chunks: chunksOf(shown, locale) }, { headers: HEADERS });
}

export function headers({ loaderHeaders, errorHeaders }: Route.HeadersArgs) {
  return errorHeaders ?? loaderHeaders;
}

export default function Gallery({ loaderData }: Route.ComponentProps) {
  const { locale, kind, groups, sections, chunks } = loaderData;
  // Some blocks navigate after a while; not in the gallery.
  useBlocker(({ historyAction }) => historyAction === "REPLACE");
  for (const href of chunks.modules) preloadModule(href);
  return (
    <>
      {chunks.styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} precedence="blocks" />
      ))}
      {/* In a system font, so that a late font does not move the samples. */}
      <header className="wrap py-8 [font-family:system-ui] md:py-12" dir="ltr" lang="en">
        <Toolbar locale={locale} kind={kind} />
        <Contents locale={locale} kind={kind} groups={groups} />
      </header>
      <main id="main" tabIndex={-1} className="border-t border-hairline">
        {sections.map((section) => (
          <Sample key={section.id} section={section} locale={locale} />
        ))}
        {(!kind || kind === PARTS) && <Parts />}
      </main>
      {kind && <Neighbours locale={locale} kind={kind} groups={groups} />}
    </>
  );
}

interface SampleProps {
  section: SectionView;
  locale: Locale;
}

/** Memoised for the same reason as the blocks of a page. */
const Sample = memo(function Sample({ section, locale }: SampleProps) {
  return (
    <article aria-label={`${section.__typename} ${section.id}`} className="border-b border-hairline">
      <p className="wrap flex items-center gap-3 text-2xs [font-family:system-ui]" dir="ltr" lang="en">
        <Link
          to={galleryPath(locale, section.__typename)}
          reloadDocument
          className="inline-flex min-h-11 items-center font-bold text-action"
        >
          {section.__typename}
        </Link>
        <span className="text-muted">{section.id}</span>
      </p>
      <Blocks sections={[section]} />
    </article>
  );
});
