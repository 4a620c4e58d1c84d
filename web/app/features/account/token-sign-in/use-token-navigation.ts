import { useEffect } from "react";
import { useLocation } from "react-router";
import { takeTokenSignIn } from "~/lib/handoff/token-sign-in-result";
import { useSession } from "~/lib/session/session";
import { useFollowDestination, useSignInContext } from "../after-sign-in";
import { signInDestination } from "../destination";

/** What a page makes of `redirectPage` itself, once it has said what it has to say. */
const BLOCKS_THAT_NAVIGATE = ["PaymentReturn"];

/** Whoever was signed in by a token goes where the address wants them, as after any sign-in; without a wish they stay. */
export function useTokenNavigation(): void {
  const { pathname } = useLocation();
  const session = useSession();
  const arrival = useSignInContext();
  const goOn = useFollowDestination();

  useEffect(() => {
    if (session.state !== "member") return;
    const arrived = takeTokenSignIn(pathname);
    if (!arrived || BLOCKS_THAT_NAVIGATE.some((kind) => document.querySelector(`[data-kind=${kind}]`))) return;
    const { redirectPage } = arrived;
    goOn(signInDestination({ ...arrival(), user: session.user, redirectPage, kind: "autoSignIn" }));
  }, [session, pathname, arrival, goOn]);
}
