import { useEffect } from "react";
import { useBlocker, useLocation } from "react-router";
import { fetchSession, useSession } from "../session/session";
import { trackPageLoad, trackUser } from ".";
import { useConsentStatus } from "./consent";
import { hasThirdPartyScript, loadThirdPartyScript } from "./script";
import { isSensitive } from "./sensitive";

interface Page {
  pageType: string;
  urlPath: string;
  analyticsScriptUrl: string | null;
}

/** All analytics of a page. */
export function usePageAnalytics({ pageType, urlPath, analyticsScriptUrl }: Page): void {
  const { pathname } = useLocation();
  const session = useSession();
  const consent = useConsentStatus();

  useEffect(() => {
    void fetchSession();
    return trackPageLoad(pageType, urlPath);
  }, [pageType, urlPath]);

  useEffect(() => {
    if (consent === "refused" && hasThirdPartyScript()) return location.reload();
    if (consent !== "granted" || isSensitive(pathname)) return;
    if (session.state === "member") void trackUser(session.user);
    if (analyticsScriptUrl) loadThirdPartyScript(analyticsScriptUrl);
  }, [consent, session, pathname, analyticsScriptUrl]);

  useFreshDocument();
}

/** A sensitive page gets its own document: a third-party script would observe a client navigation. */
function useFreshDocument(): void {
  const blocker = useBlocker(({ nextLocation }) => hasThirdPartyScript() && isSensitive(nextLocation.pathname));

  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const { pathname, search, hash } = blocker.location;
    location.assign(pathname + search + hash);
  }, [blocker]);
}
