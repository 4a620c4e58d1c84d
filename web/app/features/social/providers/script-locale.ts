import type { Locale } from "~/lib/locale";

const TERRITORIES: Record<Locale, string> = {
  en: "en_US",
  tr: "tr_TR",
  ar: "ar_SA",
  es: "es_MX",
  fr: "fr_FR",
  de: "de_DE",
  it: "it_IT",
  pt: "pt_BR",
  ru: "ru_RU",
  ja: "ja_JP",
  ko: "ko_KR",
  pl: "pl_PL",
  az: "az_AZ",
  da: "da_DK",
};

/** The language code of Apple's and Facebook's script URLs. Some of our locales have another territory there. */
export function scriptLocale(locale: Locale, exceptions: Partial<Record<Locale, string>>): string {
  return exceptions[locale] ?? TERRITORIES[locale];
}
