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
  /** Locales the page is written in; in the others it is shown in another language. */
  available: readonly string[];
  /** Another page of the site that says the same, if an editor named one. */
  canonicalPath: string | null;
}

/**
 * Absolute, self included, the same set on every sibling: what makes hreflang pairs count.
 * A page that only stands in for a missing translation, or for another page, names that one and takes no part.
 */
export function seoLinks({ origin, locale, urlPath, available, canonicalPath }: SeoPlace): SeoLinks {
  const path = canonicalPath ?? urlPath;
  const address = (code: string) => pageAddress(origin, code, path);
  const translated = LOCALES.filter((code) => available.includes(code));
  const fallback = translated.find((code) => code === DEFAULT_LOCALE) ?? translated[0];
  const own = translated.includes(locale) ? locale : (fallback ?? locale);
  if (own !== locale || path !== urlPath || !fallback) return { canonical: address(own), alternates: [] };
  const alternates = translated.map((code) => ({ hreflang: code as string, href: address(code) }));
  return { canonical: address(own), alternates: [...alternates, { hreflang: "x-default", href: address(fallback) }] };
}

function pageAddress(origin: string, locale: string, path: string): string {
  const inner = path.split("/").filter(Boolean).join("/");
  return `${origin}/${locale}/${inner === "" ? "" : `${inner}/`}`;
}

/** The site's address as the proxy in front says it, else as configured, else as asked. */
export function originOf(request: Request, publicUrl: string | null): string {
  if (publicUrl) return publicUrl;
  const host = request.headers.get("x-forwarded-host");
  const protocol = request.headers.get("x-forwarded-proto");
  return host && protocol ? `${protocol}://${host}` : new URL(request.url).origin;
}
