import type { Locale } from "../locale";
import type { Catalogue } from ".";

const loaders = import.meta.glob<Catalogue>("../../../locales/*.json", { import: "default" });

/** The one language this page is written in. */
export async function loadCatalogue(locale: Locale): Promise<Catalogue> {
  const load = loaders[`../../../locales/${locale}.json`];
  if (!load) throw new Error(`No catalogue for ${locale}`);
  return load();
}
