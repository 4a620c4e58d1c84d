import { useEffect } from "react";
import { useLocation } from "react-router";
import { takeArrival } from "~/lib/handoff/token-sign-in-result";
import { useSession } from "~/lib/session/session";
import { useArrival, useGoOn } from "../after-sign-in";
import { onwards } from "../destination";

/** What a page makes of `redirectPage` itself, once it has said what it has to say. */
const LEADS_BY_ITSELF = ["PaymentReturn"];

/** Whoever was signed in by a token goes where the address wants them, as after any sign-in; without a wish they stay. */
export function useTokenArrival(): void {
  const { pathname } = useLocation();
  const session = useSession();
  const arrival = useArrival();
  const goOn = useGoOn();

  useEffect(() => {
    if (session.state !== "member") return;
    const arrived = takeArrival(pathname);
    if (!arrived || LEADS_BY_ITSELF.some((kind) => document.querySelector(`[data-kind=${kind}]`))) return;
    const { redirectPage } = arrived;
    goOn(onwards({ ...arrival(), user: session.user, redirectPage, kind: "autoSignIn" }));
  }, [session, pathname, arrival, goOn]);
}
