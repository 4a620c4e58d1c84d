import { isLocale, type Locale } from "../locale";

/** Read by the gateway for paths without a locale: `/`, `/success/newyeargift/`. */
const COOKIE = "locale";
const COOKIE_DAYS = 365;

export function storeLocale(locale: Locale): void {
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve.
  document.cookie = `${COOKIE}=${locale}; path=/; max-age=${COOKIE_DAYS * 86_400}; samesite=lax${secure}`;
}

/** Only the language menu links between languages, so the referrer reveals a choice made without scripts. */
export function rememberLanguageSwitch(locale: Locale, referrer: string): void {
  const before = referrerLocale(referrer);
  if (before && before !== locale) storeLocale(locale);
}

function referrerLocale(referrer: string): Locale | null {
  if (!URL.canParse(referrer)) return null;
  const { origin, pathname } = new URL(referrer);
  const first = pathname.split("/", 2)[1];
  return origin === location.origin && isLocale(first) ? first : null;
}
