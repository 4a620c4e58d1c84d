import { type Locale, localeOf } from "../locale";
import type { Catalogue, PageTexts } from ".";

type Folder<Texts> = Record<string, () => Promise<Texts>>;

const pages = import.meta.glob<PageTexts>("../../../locales/*.json", { import: "default" });

/** The catalogue of the page's language. Further texts are added before anything that uses them is drawn. */
export const loadCatalogue = (locale: Locale) => loadTexts(pages, locale) as Promise<Catalogue>;

/** Adds the texts of a folder to the page's catalogue. */
export async function joinTexts<Texts extends object>(folder: Folder<Texts>): Promise<void> {
  const locale = localeOf(location.pathname);
  const [catalogue, texts] = await Promise.all([loadCatalogue(locale), loadTexts(folder, locale)]);
  Object.assign(catalogue, texts);
}

/** The texts of one language in a folder. */
async function loadTexts<Texts>(folder: Folder<Texts>, locale: Locale): Promise<Texts> {
  const load = Object.entries(folder).find(([file]) => file.endsWith(`/${locale}.json`))?.[1];
  if (!load) throw new Error(`No texts in ${locale}`);
  return load();
}
