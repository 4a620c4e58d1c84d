import type { Locale } from "../locale";
import type { Catalogue, Journeys, PageTexts } from ".";

const loaders = import.meta.glob<PageTexts>("../../../locales/*.json", { import: "default" });
const journeys = import.meta.glob<Journeys>("../../../locales/journeys/*.json", { import: "default" });

/** The one language this page is written in. */
export async function loadCatalogue(locale: Locale): Promise<Catalogue> {
  const load = loaders[`../../../locales/${locale}.json`];
  if (!load) throw new Error(`No catalogue for ${locale}`);
  // Its journeys join it before anything that speaks of them is drawn.
  return (await load()) as Catalogue;
}

export async function loadJourneys(locale: Locale): Promise<Journeys> {
  const load = journeys[`../../../locales/journeys/${locale}.json`];
  if (!load) throw new Error(`No journeys for ${locale}`);
  return load();
}
