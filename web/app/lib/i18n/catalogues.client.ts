import { type Locale, localeOf } from "../locale";
import type { Catalogue, PageTexts } from ".";

type Folder<Texts> = Record<string, () => Promise<Texts>>;

const pages = import.meta.glob<PageTexts>("../../../locales/*.json", { import: "default" });

/** The one language this page is written in. Other words join it before anything that speaks of them is drawn. */
export const loadCatalogue = (locale: Locale) => loadTexts(pages, locale) as Promise<Catalogue>;

/** Puts the words of a folder beside those of the page. */
export async function joinTexts<Texts extends object>(folder: Folder<Texts>): Promise<void> {
  const locale = localeOf(location.pathname);
  const [catalogue, texts] = await Promise.all([loadCatalogue(locale), loadTexts(folder, locale)]);
  Object.assign(catalogue, texts);
}

/** Of a folder of texts, those in one language. */
async function loadTexts<Texts>(folder: Folder<Texts>, locale: Locale): Promise<Texts> {
  const load = Object.entries(folder).find(([file]) => file.endsWith(`/${locale}.json`))?.[1];
  if (!load) throw new Error(`No texts in ${locale}`);
  return load();
}
