export type SiteType = "mobile" | "tablet" | "desktop";

/** A tablet that identifies itself as a Mac is recognised by its touch points. */
export function siteType(userAgent: string, touchPoints: number): SiteType {
  const isTablet = /ipad|tablet|playbook|silk|android(?!.*mobile)/i.test(userAgent);
  if (isTablet || (/macintosh/i.test(userAgent) && touchPoints > 1)) return "tablet";
  return /mobi|iphone|ipod/i.test(userAgent) ? "mobile" : "desktop";
}
