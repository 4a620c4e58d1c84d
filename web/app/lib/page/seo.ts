import { DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from "../locale";

export interface Alternate {
  hreflang: string;
  href: string;
}

export interface SeoLinks {
  canonical: string;
  alternates: Alternate[];
}

/** Absolute, self included, the same set on every sibling: what makes hreflang pairs count. */
export function seoLinks(origin: string, locale: Locale, urlPath: string, available: readonly string[]): SeoLinks {
  const address = (code: string) => `${origin}/${code}${urlPath === "/" ? "/" : `${urlPath}/`}`;
  const translated = LOCALES.filter((code) => available.includes(code));
  const alternates = translated.map((code) => ({ hreflang: code as string, href: address(code) }));
  const fallback = translated.find((code) => code === DEFAULT_LOCALE) ?? translated[0];
  if (fallback) alternates.push({ hreflang: "x-default", href: address(fallback) });
  const own = isLocale(locale) && translated.includes(locale) ? locale : (fallback ?? locale);
  return { canonical: address(own), alternates };
}

/** The site's address as the proxy in front says it, else as configured, else as asked. */
export function originOf(request: Request, publicUrl: string | null): string {
  if (publicUrl) return publicUrl;
  const host = request.headers.get("x-forwarded-host");
  const protocol = request.headers.get("x-forwarded-proto");
  return host && protocol ? `${protocol}://${host}` : new URL(request.url).origin;
}
