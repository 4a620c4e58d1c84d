import { LOCALES, type Locale } from "../locale";
import type { Catalogue } from ".";

const modules = import.meta.glob<Catalogue>("../../../locales/*.json", { eager: true, import: "default" });

/** Every language, in memory: the renderer answers in any of them. */
export const catalogues = Object.fromEntries(
  LOCALES.map((locale) => [locale, modules[`../../../locales/${locale}.json`]]),
) as Record<Locale, Catalogue>;
