import { preloadModule } from "react-dom";
import { data, Link, redirect } from "react-router";
import { present } from "~/blocks/presenters.server";
import { Blocks } from "~/blocks/render";
import { samples } from "~/blocks/samples";
import { isLocale, LOCALES, type Locale, locales } from "~/lib/locale";
import type { Route } from "./+types/gallery";
import { Parts } from "./gallery.parts";
import { chunksOf } from "./page.load.server";

const HEADERS = { "cache-control": "public, max-age=0, s-maxage=60", "x-robots-tag": "noindex, nofollow" };

export function meta() {
  return [
    { title: "Gallery, Stillpoint" },
    { name: "robots", content: "noindex, nofollow" },
    { tagName: "link", rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  ];
}

/** Every block with sample content, or one kind of them: for people who build, translate and photograph them. */
export function loader({ params }: Route.LoaderArgs) {
  const { locale, kind } = params;
  if (!isLocale(locale)) throw redirect("/en/gallery/");
  const shown = samples
    .filter((sample) => !kind || sample.__typename === kind)
    .toSorted((one, other) => one.__typename.localeCompare(other.__typename, "en"));
  if (shown.length === 0) throw data(null, { status: 404, headers: HEADERS });
  const sections = shown.map((sample) => present(sample, { locale, template: "Page" }));
  const kinds = [...new Set(samples.map((sample) => sample.__typename))].toSorted();
  return data({ locale, kind: kind ?? null, kinds, sections, chunks: chunksOf(shown, locale) }, { headers: HEADERS });
}

export function headers({ loaderHeaders, errorHeaders }: Route.HeadersArgs) {
  return errorHeaders ?? loaderHeaders;
}

export default function Gallery({ loaderData }: Route.ComponentProps) {
  const { locale, kind, kinds, sections, chunks } = loaderData;
  for (const href of chunks.modules) preloadModule(href);
  return (
    <>
      {chunks.styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} precedence="blocks" />
      ))}
      <header className="wrap border-b border-hairline py-8" dir="ltr" lang="en">
        <p className="display text-3xl">Gallery</p>
        <Languages current={locale} kind={kind} />
        <Kinds locale={locale} kinds={kinds} current={kind} />
      </header>
      <main id="main" tabIndex={-1}>
        {sections.map((section) => (
          <article
            key={section.id}
            aria-label={`${section.__typename} ${section.id}`}
            className="border-b border-hairline"
          >
            <p className="wrap py-2 text-2xs text-muted" dir="ltr">
              {section.__typename} · {section.id}
            </p>
            <Blocks sections={[section]} />
          </article>
        ))}
        {!kind && <Parts />}
      </main>
    </>
  );
}

function Languages({ current, kind }: { current: Locale; kind: string | null }) {
  return (
    <nav aria-label="Languages" className="mt-4 flex flex-wrap gap-x-4">
      {LOCALES.map((locale) => (
        <Link
          key={locale}
          to={`/${locale}/gallery/${kind ? `${kind}/` : ""}`}
          reloadDocument
          lang={locale}
          aria-current={locale === current ? "page" : undefined}
          className="inline-flex min-h-11 items-center text-sm text-action aria-[current]:font-bold aria-[current]:text-ink"
        >
          {locales[locale].name}
        </Link>
      ))}
    </nav>
  );
}

interface KindsProps {
  locale: Locale;
  kinds: string[];
  current: string | null;
}

function Kinds({ locale, kinds, current }: KindsProps) {
  return (
    <details className="mt-2">
      <summary className="inline-flex min-h-11 items-center text-sm font-bold">
        {current ?? "Every block"} ({kinds.length} kinds)
      </summary>
      <ul className="flex flex-wrap gap-x-4">
        {["", ...kinds].map((kind) => (
          <li key={kind}>
            <Link
              to={`/${locale}/gallery/${kind ? `${kind}/` : ""}`}
              reloadDocument
              className="inline-flex min-h-11 items-center text-2xs text-action"
            >
              {kind || "all"}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}
