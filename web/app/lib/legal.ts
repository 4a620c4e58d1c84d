/** Which version of the legal texts a visitor is sent to. */
import { isExternal } from "./links";
import { isLocale, type Locale } from "./locale";

/** As specified, with UK for GB and the four neighbours that follow the same rules. */
const EU = new Set(
  "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE UK IS LI NO CH".split(" "),
);

const EU_PATHS: Record<string, string> = {
  "terms-and-conditions": "eu/terms",
  "privacy-policy": "eu/privacy-policy",
};

export function isEuCountry(country: string): boolean {
  return EU.has(country === "GB" ? "UK" : country);
}

export interface Reader {
  locale: Locale;
  /** Empty while nobody knows it. */
  country: string;
  marketingBaseUrl: string | null;
}

/** A legal link as this reader gets it: the EU's text first, then the Turkish one, else English. Other links stay. */
export function legalUrl(url: string, { locale, country, marketingBaseUrl }: Reader): string {
  const [, host = "", path = "", rest = ""] = /^(https?:\/\/[^/?#]+)?([^?#]*)(.*)$/i.exec(url) ?? [];
  const segments = path.split("/").filter(Boolean);
  const page = EU_PATHS[segments.at(-1) ?? ""];
  if (!page || (isExternal(url) && !host)) return url;
  const base = host || marketingBaseUrl || "";
  if (isEuCountry(country)) return `${base}/${page}/${rest}`;
  if (isLocale(segments[0])) segments[0] = locale === "tr" ? "tr" : "en";
  return `${base}/${segments.join("/")}/${rest}`;
}
