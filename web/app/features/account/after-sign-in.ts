import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router";
import { track } from "~/lib/analytics";
import { local, perTab } from "~/lib/browser/storage";
import { useAutologin } from "~/lib/handoff/autologin";
import { localeOf } from "~/lib/locale";
import { setMember, type User, userOf } from "~/lib/session/session";
import { orderIdOf } from "~/lib/survey/order-id";
import { type SignInContext, type SignInDestination, type SignInKind, signInDestination } from "./destination";

const PAYMENT_PAGE_KEY = "paymentPage";
const ORDER_KEY = "mdOrderId";

export interface SignedIn {
  user: User;
  /** The gateway's allowed target of `redirectPage`. */
  redirectPage: string | null;
  kind: SignInKind;
}

/** Runs after every sign-in and sign-up: sets the session, sends the events, then navigates. */
export function useAfterSignIn(): (result: SignedIn) => void {
  const signInContext = useSignInContext();
  const follow = useFollowDestination();
  return useCallback(
    (result) => {
      const user = userOf(result.user);
      const here = signInContext();
      setMember(user);
      trackSignIn(result.kind, here.query);
      perTab.remove(PAYMENT_PAGE_KEY);
      follow(signInDestination({ ...here, ...result, user }));
    },
    [signInContext, follow],
  );
}

/** Locale, query and payment page that decide the destination. */
export function useSignInContext(): () => Pick<SignInContext, "locale" | "query" | "paymentPage"> {
  const { pathname, search } = useLocation();
  return useCallback(() => {
    const query = new URLSearchParams(search);
    return { locale: localeOf(pathname), query, paymentPage: perTab.get(PAYMENT_PAGE_KEY) };
  }, [pathname, search]);
}

export function useFollowDestination(): (next: SignInDestination) => void {
  const navigate = useNavigate();
  const autologin = useAutologin();
  const locale = localeOf(useLocation().pathname);
  return useCallback(
    (next) => {
      // Another language is another document, and so is any path outside the locale.
      const open = (path: string) =>
        path.startsWith(`/${locale}/`) ? void navigate(path, { viewTransition: true }) : location.assign(path);
      if (next.to === "page") open(next.path);
      if (next.to === "app") {
        const leaving = autologin ? autologin(next.extra) : Promise.resolve(false);
        void leaving.then((left) => left || open(`/${locale}/autosignin/`));
      }
    },
    [navigate, autologin, locale],
  );
}

function trackSignIn(kind: SignInKind, query: URLSearchParams): void {
  if (kind !== "signUp") {
    track(kind === "signIn" ? "signin" : "auto_signin");
    return;
  }
  track("signup");
  const orderId = orderIdOf(query);
  if (orderId) local.set(ORDER_KEY, orderId);
  // Without an order id the event reports a lost order, although the sign-up succeeded.
  track(orderId ? "sign-up-done" : "sign-up-error");
}
