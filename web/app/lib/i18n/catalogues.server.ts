import { LOCALES, type Locale } from "../locale";
import type { Catalogue, Journeys, PageTexts } from ".";

const pages = import.meta.glob<PageTexts>("../../../locales/*.json", { eager: true, import: "default" });
const journeys = import.meta.glob<Journeys>("../../../locales/journeys/*.json", { eager: true, import: "default" });

/** Every language, in memory: the renderer answers in any of them. */
export const catalogues = Object.fromEntries(
  LOCALES.map((locale) => [
    locale,
    { ...pages[`../../../locales/${locale}.json`], ...journeys[`../../../locales/journeys/${locale}.json`] },
  ]),
) as Record<Locale, Catalogue>;
