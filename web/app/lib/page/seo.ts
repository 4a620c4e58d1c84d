import { DEFAULT_LOCALE, LOCALES, type Locale } from "../locale";

export interface Alternate {
  hreflang: string;
  href: string;
}

export interface SeoLinks {
  canonical: string;
  alternates: Alternate[];
}

export interface SeoPlace {
  origin: string;
  locale: Locale;
  urlPath: string;
  /** Locales with a translation; others show another language. */
  available: readonly string[];
  /** The canonical page, if an editor chose one. */
  canonicalPath: string | null;
}

/**
 * hreflang links must be absolute, include the page itself and be the same on every sibling. A page that shows another
 * language, or has a canonical page, names that one and has no alternates.
 */
export function seoLinks({ origin, locale, urlPath, available, canonicalPath }: SeoPlace): SeoLinks {
  const path = canonicalPath ?? urlPath;
  const address = (code: string) => pageAddress(origin, code, path);
  const translated = LOCALES.filter((code) => available.includes(code));
  const fallback = translated.find((code) => code === DEFAULT_LOCALE) ?? translated[0];
  const shownLocale = translated.includes(locale) ? locale : (fallback ?? locale);
  if (shownLocale !== locale || path !== urlPath || !fallback)
    return { canonical: address(shownLocale), alternates: [] };
  const alternates = translated.map((code) => ({ hreflang: code as string, href: address(code) }));
  return {
    canonical: address(shownLocale),
    alternates: [...alternates, { hreflang: "x-default", href: address(fallback) }],
  };
}

function pageAddress(origin: string, locale: string, path: string): string {
  const inner = path.split("/").filter(Boolean).join("/");
  return `${origin}/${locale}/${inner === "" ? "" : `${inner}/`}`;
}

/** The site's address: configured, else from the proxy's headers, else from the request. */
export function originOf(request: Request, publicUrl: string | null): string {
  if (publicUrl) return publicUrl;
  const host = request.headers.get("x-forwarded-host");
  const protocol = request.headers.get("x-forwarded-proto");
  return host && protocol ? `${protocol}://${host}` : new URL(request.url).origin;
}
