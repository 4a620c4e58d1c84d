/**
 * The words of paying, giving and asking the AI: most pages have no use for them. Whoever shows them imports this, and its
 * chunk then waits for them. On the server all words are there.
 */
import { localeOf } from "../locale";
import { loadCatalogue, loadJourneys } from "./catalogues.client";

if (!import.meta.env.SSR) {
  const locale = localeOf(location.pathname);
  const [catalogue, journeys] = await Promise.all([loadCatalogue(locale), loadJourneys(locale)]);
  Object.assign(catalogue, journeys);
}
