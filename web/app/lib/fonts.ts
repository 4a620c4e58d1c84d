import manropeCyrillic from "@fontsource-variable/manrope/files/manrope-cyrillic-wght-normal.woff2?url";
import manropeLatin from "@fontsource-variable/manrope/files/manrope-latin-wght-normal.woff2?url";
import onestLatin from "@fontsource-variable/onest/files/onest-latin-wght-normal.woff2?url";
import readexArabic from "@fontsource-variable/readex-pro/files/readex-pro-arabic-wght-normal.woff2?url";
import type { Locale } from "./locale";

const faces: Partial<Record<Locale, string | null>> = {
  ar: readexArabic,
  az: onestLatin,
  ru: manropeCyrillic,
  // The system's own faces: nothing to fetch.
  ja: null,
  ko: null,
};

/** The one face worth fetching before the style sheet asks for it: the cut the body text is set in. */
export function bodyFace(locale: Locale): string | null {
  return locale in faces ? (faces[locale] ?? null) : manropeLatin;
}
