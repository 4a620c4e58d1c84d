/** Cache lifetimes of a page at the gateway. Publishing purges by key; the lifetimes limit the cost of a lost purge. */

const DAY = 86_400;
const FRESH_SECS = DAY;
const STALE_SECS = 7 * DAY;
/** A page without its prices is reloaded soon. */
const INCOMPLETE_SECS = 5;
const MISSING_SECS = 60;

export interface Rendered {
  locale: string;
  urlPath: string;
  found: boolean;
  /** `missing`: a price could not be loaded. */
  offers: "none" | "shown" | "missing";
}

export function cacheHeaders(page: Rendered): Record<string, string> {
  // Header values must be ASCII; keys are separated by spaces.
  const keys = [`page:${page.locale}:${encodeURI(page.urlPath)}`, `chrome:${page.locale}`];
  if (!page.found) keys.push(`page:${page.locale}:/404`);
  if (page.offers !== "none") keys.push("offers");
  const lifetime = page.found ? (page.offers === "missing" ? INCOMPLETE_SECS : FRESH_SECS) : MISSING_SECS;
  return {
    "surrogate-key": keys.join(" "),
    "cache-control": `public, max-age=0, s-maxage=${lifetime}, stale-while-revalidate=${STALE_SECS}`,
  };
}
