export interface LocaleInfo {
  /** The language's own name, for the switcher. */
  name: string;
  /** BCP 47 tag for Intl: the region decides separators and symbols. */
  tag: string;
  dir: "ltr" | "rtl";
}

export const locales = {
  en: { name: "English", tag: "en-US", dir: "ltr" },
  tr: { name: "Türkçe", tag: "tr-TR", dir: "ltr" },
  ar: { name: "العربية", tag: "ar", dir: "rtl" },
  es: { name: "Español", tag: "es-MX", dir: "ltr" },
  fr: { name: "Français", tag: "fr-FR", dir: "ltr" },
  de: { name: "Deutsch", tag: "de-DE", dir: "ltr" },
  it: { name: "Italiano", tag: "it-IT", dir: "ltr" },
  pt: { name: "Português", tag: "pt-BR", dir: "ltr" },
  ru: { name: "Русский", tag: "ru-RU", dir: "ltr" },
  ja: { name: "日本語", tag: "ja-JP", dir: "ltr" },
  ko: { name: "한국어", tag: "ko-KR", dir: "ltr" },
  pl: { name: "Polski", tag: "pl-PL", dir: "ltr" },
  az: { name: "Azərbaycanca", tag: "az-Latn-AZ", dir: "ltr" },
  da: { name: "Dansk", tag: "da-DK", dir: "ltr" },
} as const satisfies Record<string, LocaleInfo>;

export type Locale = keyof typeof locales;

export const LOCALES = Object.keys(locales) as Locale[];
export const DEFAULT_LOCALE: Locale = "en";

export function isLocale(value: string | null | undefined): value is Locale {
  return value != null && Object.hasOwn(locales, value);
}

/** The Open Graph form: with an underscore and a territory; Arabic has none and becomes `ar_AR`. */
export function openGraphLocale(locale: Locale): string {
  const { language, region } = new Intl.Locale(locales[locale].tag);
  return `${language}_${region ?? language.toUpperCase()}`;
}

/** The locale of a path, or the default. */
export function localeOf(pathname: string): Locale {
  const first = pathname.split("/", 2)[1];
  return isLocale(first) ? first : DEFAULT_LOCALE;
}
