import type { Locale } from "../locale";
import type { Catalogue, PageTexts } from ".";

const pages = import.meta.glob<PageTexts>("../../../locales/*.json", { import: "default" });

/** The one language this page is written in. Its journeys join it before anything that speaks of them is drawn. */
export const loadCatalogue = (locale: Locale) => loadTexts(pages, locale) as Promise<Catalogue>;

/** Of a folder of texts, those in one language. */
export async function loadTexts<Texts>(folder: Record<string, () => Promise<Texts>>, locale: Locale): Promise<Texts> {
  const load = Object.entries(folder).find(([file]) => file.endsWith(`/${locale}.json`))?.[1];
  if (!load) throw new Error(`No texts in ${locale}`);
  return load();
}
