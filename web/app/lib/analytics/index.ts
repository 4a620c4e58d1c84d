import { knownCountry } from "../country";
import { localeOf } from "../locale";
import { isLoggedIn } from "../session";
import { trackingOf, withTracking } from "../tracking";
import { type Fields, Queue, sendToGateway } from "./queue";

const PAGE_LOAD_DELAY_MS = 1_000;
const TABLET_MIN_WIDTH = 768;
const DESKTOP_MIN_WIDTH = 1024;

const queue = new Queue(sendToGateway);

/** Starts sending what is left whenever the page is hidden. Call once, in the browser. */
export function startAnalytics(): void {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") queue.flush();
  });
}

export function track(name: string, fields: Fields = {}): void {
  const complete = { ...fields, ...siteInfo(), is_logged_in: isLoggedIn() };
  window.dataLayer ??= [];
  window.dataLayer.push({ event: name, ...complete });
  queue.push(name, complete);
}

/** Reports a page view once it has stood for a second; the returned function takes it back. */
export function trackPageLoad(pageType: string, path: string): () => void {
  const timer = setTimeout(() => {
    track("page_load", {
      page_type: pageType,
      site_section: "main",
      page_variant: "default",
      unifying_path: path,
    });
  }, PAGE_LOAD_DELAY_MS);
  return () => clearTimeout(timer);
}

function siteInfo(): Fields {
  return {
    country: knownCountry(),
    language: localeOf(location.pathname),
    platform: "web",
    site_type: siteType(window.innerWidth),
    // Queries may carry tokens: only the allowed parameters leave the browser.
    url: withTracking(location.origin + location.pathname, trackingOf(new URLSearchParams(location.search))),
  };
}

export function siteType(width: number): "mobile" | "tablet" | "desktop" {
  if (width < TABLET_MIN_WIDTH) return "mobile";
  return width < DESKTOP_MIN_WIDTH ? "tablet" : "desktop";
}
