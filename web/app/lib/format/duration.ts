import { type Locale, locales } from "../locale";

/** "10 min", abbreviated by the language. */
export function formatMinutes(minutes: number, locale: Locale): string {
  const format = new Intl.NumberFormat(locales[locale].tag, { style: "unit", unit: "minute", unitDisplay: "short" });
  return format.format(minutes);
}
