import { DEFAULT_LOCALE, isLocale, type Locale } from "../locale";

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i;

export function isExternal(url: string): boolean {
  return HAS_SCHEME.test(url) || url.startsWith("//");
}

/** A URL from content as a link of this site, with locale and trailing slash. External URLs and fragments stay. */
export function internalHref(url: string, locale: Locale): string {
  if (isExternal(url) || url.startsWith("#")) return url;
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/.exec(url) ?? [];
  const segments = path.split("/").filter(Boolean);
  if (!isLocale(segments[0])) segments.unshift(locale);
  return `/${segments.join("/")}/${rest}`;
}

/** A page's path in content: no locale, no trailing slash, "/" for the root. */
export function urlPathOf(splat: string | undefined): string {
  const path = (splat ?? "").split("/").filter(Boolean).join("/");
  return `/${path}`;
}

const MARKETING_LOCALES: readonly Locale[] = ["en", "tr", "es", "de", "fr", "pt"];
const MARKETING_ROOTS: readonly Locale[] = ["en", "tr"];
const NOT_OFFERED: readonly Locale[] = ["az", "da", "pl"];

export function offeredInSwitcher(locale: Locale, current: Locale): boolean {
  return locale !== current && !NOT_OFFERED.includes(locale);
}

/** Target of the language switcher: some languages are on the marketing site, if there is one. */
export function languageHref(locale: Locale, marketingBaseUrl: string | null): string {
  if (!marketingBaseUrl || !MARKETING_LOCALES.includes(locale)) return `/${locale}/`;
  const page = MARKETING_ROOTS.includes(locale) ? "" : "individuals/";
  return `${marketingBaseUrl}/${locale}/${page}`;
}

export function localePath(locale: Locale = DEFAULT_LOCALE, path = "/"): string {
  return internalHref(path, locale);
}
