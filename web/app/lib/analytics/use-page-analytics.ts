import { useEffect } from "react";
import { useBlocker, useLocation } from "react-router";
import { askSession, useSession } from "../session/session";
import { trackPageLoad, trackUser } from ".";
import { useStanding } from "./consent";
import { hasForeignScript, loadForeignScript } from "./script";
import { isSensitive } from "./sensitive";

interface Page {
  pageType: string;
  urlPath: string;
  analyticsScriptUrl: string | null;
}

/** Everything a page reports of itself. */
export function usePageAnalytics({ pageType, urlPath, analyticsScriptUrl }: Page): void {
  const { pathname } = useLocation();
  const session = useSession();
  const standing = useStanding();

  useEffect(() => {
    void askSession();
    return trackPageLoad(pageType, urlPath);
  }, [pageType, urlPath]);

  useEffect(() => {
    if (standing === "refused" && hasForeignScript()) return location.reload();
    if (standing !== "granted" || isSensitive(pathname)) return;
    if (session.state === "member") void trackUser(session.user);
    if (analyticsScriptUrl) loadForeignScript(analyticsScriptUrl);
  }, [standing, session, pathname, analyticsScriptUrl]);

  useFreshDocument();
}

/** A sensitive page gets a document of its own: a script of somebody else's would see a navigation inside this one. */
function useFreshDocument(): void {
  const blocker = useBlocker(({ nextLocation }) => hasForeignScript() && isSensitive(nextLocation.pathname));

  useEffect(() => {
    if (blocker.state !== "blocked") return;
    const { pathname, search, hash } = blocker.location;
    location.assign(pathname + search + hash);
  }, [blocker]);
}
