import { local } from "./browser/storage";
import { getJson } from "./http/request";
import { type Locale, localeOf } from "./locale";

const STORAGE_KEY = "country";

/** Offers to Turkish customers, in any language. */
const TURKISH_OFFERS = ["/offers/Turkcell", "/offers/TEB40", "/tr/offers/cDC25"];
/** Their payment pages, in any language. */
const TURKISH_PAYMENTS = ["/payment/turkcell", "/payment/teb40", "/payment/cdc25"];

let asking: Promise<string> | null = null;

export function isTurkishOffer(pathname: string): boolean {
  return [...TURKISH_OFFERS, ...TURKISH_PAYMENTS].some((offer) => pathname.includes(offer));
}

/** The language in which an offer's price is requested. */
export function offerLanguage(locale: Locale): Locale {
  return isTurkishOffer(location.pathname) ? "tr" : locale;
}

/** The visitor's country: fixed by the offer, stored, else requested once for all callers. */
export function visitorCountry(): Promise<string> {
  const known = knownCountry();
  if (known) return Promise.resolve(known);
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}

async function ask(): Promise<string> {
  const answer = await getJson<{ countryCode: string }>("/api/country");
  if (!answer.ok || !answer.value.countryCode) return localeOf(location.pathname) === "tr" ? "TR" : "US";
  local.set(STORAGE_KEY, answer.value.countryCode);
  return answer.value.countryCode;
}

/** Empty while unknown. */
export function knownCountry(): string {
  return isTurkishOffer(location.pathname) ? "TR" : (local.get(STORAGE_KEY) ?? "");
}
