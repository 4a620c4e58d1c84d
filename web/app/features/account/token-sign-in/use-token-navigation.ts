import { useEffect } from "react";
import { useLocation } from "react-router";
import { takeTokenSignIn } from "~/lib/handoff/token-sign-in-result";
import { useSession } from "~/lib/session/session";
import { useFollowDestination, useSignInContext } from "../after-sign-in";
import { signInDestination } from "../destination";

/** Blocks that use `redirectPage` themselves: after the payment that their page is for. */
const BLOCKS_THAT_NAVIGATE = [
  "GiftPaymentForm",
  "OneTimePaymentForm",
  "OneTimePaymentWithAdditionForm",
  "PaymentForm",
  "PaymentReturn",
  "TwoColPaymentForm",
];

/** A member signed in by a token goes to `redirectPage`, as after any sign-in; without it they stay. */
export function useTokenNavigation(): void {
  const { pathname } = useLocation();
  const session = useSession();
  const signInContext = useSignInContext();
  const follow = useFollowDestination();

  useEffect(() => {
    if (session.state !== "member") return;
    const signIn = takeTokenSignIn(pathname);
    if (!signIn || BLOCKS_THAT_NAVIGATE.some((kind) => document.querySelector(`[data-kind=${kind}]`))) return;
    const { redirectPage } = signIn;
    follow(signInDestination({ ...signInContext(), user: session.user, redirectPage, kind: "autoSignIn" }));
  }, [session, pathname, signInContext, follow]);
}
