export type SiteType = "mobile" | "tablet" | "desktop";

/** By what the browser says it runs on; a tablet that says it is a computer is known by its fingers. */
export function siteType(userAgent: string, touchPoints: number): SiteType {
  const isTablet = /ipad|tablet|playbook|silk|android(?!.*mobile)/i.test(userAgent);
  if (isTablet || (/macintosh/i.test(userAgent) && touchPoints > 1)) return "tablet";
  return /mobi|iphone|ipod/i.test(userAgent) ? "mobile" : "desktop";
}
