/** Selects the version of the legal texts for a reader. */

import { isLocale, type Locale } from "../locale";
import { isExternal } from "./links";

/** As specified, with UK for GB and four neighbours under the same rules. */
const EU = new Set(
  "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE UK IS LI NO CH".split(" "),
);

const EU_PATHS = new Map([
  ["terms-and-conditions", "eu/terms"],
  ["privacy-policy", "eu/privacy-policy"],
]);

export function isEuCountry(country: string): boolean {
  return EU.has(country === "GB" ? "UK" : country);
}

export interface LegalReader {
  locale: Locale;
  /** Empty while unknown. */
  country: string;
  marketingBaseUrl: string | null;
}

/**
 * A legal link for this reader, on the marketing site: the EU's text first, then the Turkish one, else English. Other
 * links stay unchanged, also those of other companies with the same path.
 */
export function legalUrl(url: string, { locale, country, marketingBaseUrl }: LegalReader): string {
  const [, host = "", path = "", rest = ""] = /^(https?:\/\/[^/?#]+)?([^?#]*)(.*)$/i.exec(url) ?? [];
  if (isExternal(url) && !host) return url;
  const segments = path.split("/").filter(Boolean);
  const [before, page = before] = segments;
  const isOurs = isLocale(before) || !host || host === marketingBaseUrl;
  const euPath = EU_PATHS.get(page ?? "");
  const base = marketingBaseUrl ?? host;
  if (!euPath || !isOurs || segments.length > (isLocale(before) ? 2 : 1) || !base) return url;
  if (isEuCountry(country)) return `${base}/${euPath}/${rest}`;
  return `${base}/${locale === "tr" ? "tr" : "en"}/${page}/${rest}`;
}

const LINK = /(<a [^>]*?\bhref=")([^"]+)"/g;

/** The same for the links in rendered HTML. */
export function withLegalLinks(html: string, reader: LegalReader): string {
  return html.replaceAll(LINK, (_, before: string, url: string) => `${before}${legalUrl(url, reader)}"`);
}

export function namesLegalTexts(text: string): boolean {
  return [...EU_PATHS.keys()].some((page) => text.includes(page));
}
