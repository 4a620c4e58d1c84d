/** How long the gateway may keep a page. Publishing purges by key; these times only bound what a lost purge can cost. */

const DAY = 86_400;
const FRESH_SECS = DAY;
const STALE_SECS = 7 * DAY;
/** A page whose prices could not be had is asked for again soon. */
const INCOMPLETE_SECS = 5;
const MISSING_SECS = 60;

export interface Rendered {
  locale: string;
  urlPath: string;
  found: boolean;
  /** Shows prices; `missing` when one of them could not be had. */
  offers: "none" | "shown" | "missing";
}

export function cacheHeaders(page: Rendered): Record<string, string> {
  // A header holds Latin letters alone; keys are separated by spaces.
  const keys = [`page:${page.locale}:${encodeURI(page.urlPath)}`, `chrome:${page.locale}`];
  if (!page.found) keys.push(`page:${page.locale}:/404`);
  if (page.offers !== "none") keys.push("offers");
  const lifetime = page.found ? (page.offers === "missing" ? INCOMPLETE_SECS : FRESH_SECS) : MISSING_SECS;
  return {
    "surrogate-key": keys.join(" "),
    "cache-control": `public, max-age=0, s-maxage=${lifetime}, stale-while-revalidate=${STALE_SECS}`,
  };
}
