/**
 * Web analytics: events go to `dataLayer` at once and to the gateway in batches. WEB_EVENTS.md of analytics lists them.
 */

import { local } from "../browser/storage";
import { knownCountry, visitorCountry } from "../country";
import { localeOf } from "../locale";
import { currentUser, isLoggedIn, type User } from "../session/session";
import { trackingOf, withTracking } from "../tracking";
import { consentStatus } from "./consent";
import { siteType } from "./device";
import { type Fields, Queue, report, sendToGateway } from "./queue";
import { isSensitive } from "./sensitive";

const PAGE_LOAD_DELAY_MS = 1_000;
/** An event is reported without its country after this time. */
const COUNTRY_TIMEOUT_MS = 1_000;
const ORDER_KEY = "mdOrderId";
const DEMO_PAGE = "/business-bookademo";
const DEMO_CLICK = "b2b_bookademo_click";

const queue = new Queue(sendToGateway);
/** Events that wait for the country, as functions that report them now. */
const waiting = new Set<() => void>();
/** The last reported user: one report per document. */
let reportedUser: string | null = null;

/** Flushes the queue whenever the page is hidden. Call once, in the browser. */
export function startAnalytics(): void {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "hidden") return;
    for (const reportNow of waiting) reportNow();
    queue.flush();
  });
  // Links to the demo page are also in menus and texts, and work before hydration.
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest(`a[href*="${DEMO_PAGE}"]`)) track(DEMO_CLICK);
  });
}

export function track(name: string, fields: Fields = {}): void {
  const complete = { ...fields, ...siteInfo(), is_logged_in: isLoggedIn() };
  window.dataLayer ??= [];
  window.dataLayer.push({ event: name, ...complete });
  queue.push(name, complete);
}

/** Reports when the country is known, after a second, or on leaving the page. The returned function reports now. */
export function trackWithCountry(name: string, fields: Fields = {}): () => void {
  const reportNow = () => {
    clearTimeout(timer);
    if (waiting.delete(reportNow)) track(name, fields);
  };
  const timer = setTimeout(reportNow, COUNTRY_TIMEOUT_MS);
  waiting.add(reportNow);
  void visitorCountry().then(reportNow);
  return reportNow;
}

interface PressedButton {
  url: string;
  eventName: string | null;
  eventSection: string | null;
}

/** A button with an event name from content. */
export function trackPress({ url, eventName, eventSection }: PressedButton): void {
  const isCounted = eventName === DEMO_CLICK && url.includes(DEMO_PAGE);
  if (eventName && !isCounted) track(eventName, { eventSection: eventSection ?? "" });
}

/** Reports a page view after a second; the returned function cancels it. */
export function trackPageLoad(pageType: string, path: string): () => void {
  const timer = setTimeout(() => {
    track("page_load", {
      page_type: pageType,
      site_section: "main",
      page_variant: "default",
      unifying_path: path,
    });
    reportSpecialProgram(pageType);
  }, PAGE_LOAD_DELAY_MS);
  return () => clearTimeout(timer);
}

/** Reports the user in hashes, where consent allows it. */
export async function trackUser(user: User): Promise<void> {
  if (reportedUser === user.user_id || !mayIdentify()) return;
  reportedUser = user.user_id;
  const { hashesOf } = await import("./identity");
  const hashes = await hashesOf(user);
  if (hashes && mayIdentify()) track("user", hashes);
}

/** Reports the six fields of a Google sign-up in hashes, where consent allows it. */
export async function trackSocialSignUp(facts: Record<string, string>): Promise<void> {
  if (!mayIdentify()) return;
  const { hashed } = await import("./identity");
  const hashes = await hashed(facts);
  if (hashes && mayIdentify()) track("social_signup", hashes);
}

function reportSpecialProgram(pageType: string): void {
  const query = new URLSearchParams(location.search);
  const isKnown = mayIdentify();
  report("/api/analytics/special-program-events", {
    fullPath: withTracking(location.pathname, trackingOf(query)),
    pageType,
    event: "pageload",
    orderid: isKnown ? (query.get("orderid") ?? local.get(ORDER_KEY) ?? "") : "",
    userid: isKnown ? (currentUser()?.user_id ?? "") : "",
  });
}

function mayIdentify(): boolean {
  return consentStatus() === "granted" && !isSensitive(location.pathname);
}

function siteInfo(): Fields {
  return {
    country: knownCountry(),
    language: localeOf(location.pathname),
    platform: "web",
    site_type: siteType(navigator.userAgent, navigator.maxTouchPoints),
    // Queries may contain tokens: only the allowed parameters are reported.
    url: withTracking(location.origin + location.pathname, trackingOf(new URLSearchParams(location.search))),
  };
}
