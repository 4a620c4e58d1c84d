import manropeCyrillic from "@fontsource-variable/manrope/files/manrope-cyrillic-wght-normal.woff2?url";
import manropeLatin from "@fontsource-variable/manrope/files/manrope-latin-wght-normal.woff2?url";
import onestLatin from "@fontsource-variable/onest/files/onest-latin-wght-normal.woff2?url";
import readexArabic from "@fontsource-variable/readex-pro/files/readex-pro-arabic-wght-normal.woff2?url";
import type { Locale } from "./locale";

const faces: Partial<Record<Locale, string | null>> = {
  ar: readexArabic,
  az: onestLatin,
  ru: manropeCyrillic,
  // System fonts: nothing to load.
  ja: null,
  ko: null,
};

/** The body font's subset of the locale, worth preloading before the style sheet requests it. */
export function bodyFace(locale: Locale): string | null {
  return locale in faces ? (faces[locale] ?? null) : manropeLatin;
}
