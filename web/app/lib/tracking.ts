/** The only query parameters that are stored or forwarded. */
export const TRACKING_PARAMETERS = [
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_content",
  "utm_term",
  "cpname",
  "agname",
  "adname",
  "cpid",
  "agid",
  "adid",
] as const;

export type Tracking = Partial<Record<(typeof TRACKING_PARAMETERS)[number], string>>;

const COOKIE = "utm_params";
const COOKIE_DAYS = 30;
const VALUE_LIMIT = 200;

export function trackingOf(query: URLSearchParams): Tracking {
  const found: Tracking = {};
  for (const name of TRACKING_PARAMETERS) {
    const value = query.get(name)?.slice(0, VALUE_LIMIT);
    if (value) found[name] = value;
  }
  return found;
}

export function parseTrackingCookie(cookies: string): Tracking {
  const pair = cookies.split("; ").find((entry) => entry.startsWith(`${COOKIE}=`));
  if (!pair) return {};
  try {
    const stored = decodeURIComponent(pair.slice(COOKIE.length + 1));
    return trackingOf(new URLSearchParams(stored));
  } catch {
    return {};
  }
}

/** Last touch: a visit with parameters replaces the stored ones. */
export function rememberTracking(query: URLSearchParams): void {
  const tracking = trackingOf(query);
  if (Object.keys(tracking).length === 0) return;
  const value = encodeURIComponent(new URLSearchParams(tracking).toString());
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve.
  document.cookie = `${COOKIE}=${value}; path=/; max-age=${COOKIE_DAYS * 86_400}; samesite=lax${secure}`;
}

export function storedTracking(): Tracking {
  return parseTrackingCookie(document.cookie);
}

/** Adds the visit's tracking parameters to a link, and nothing else of its query. */
export function withTracking(href: string, tracking: Tracking): string {
  const entries = Object.entries(tracking);
  if (entries.length === 0) return href;
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(href) ?? [];
  const params = new URLSearchParams(query);
  for (const [name, value] of entries) params.set(name, value);
  return `${path}?${params}${fragment}`;
}
