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
  /** The gateway's answer to where the query may lead. */
  redirectPage: string | null;
  kind: SignInKind;
}

/** What follows every sign-in and sign-up: the session is known, the events are out, and only then the person is led on. */
export function useAfterSignIn(): (result: SignedIn) => void {
  const arrival = useSignInContext();
  const goOn = useFollowDestination();
  return useCallback(
    (result) => {
      const user = userOf(result.user);
      const here = arrival();
      setMember(user);
      trackSignIn(result.kind, here.query);
      perTab.remove(PAYMENT_PAGE_KEY);
      goOn(signInDestination({ ...here, ...result, user }));
    },
    [arrival, goOn],
  );
}

/** What the page and this tab know of where somebody wants to go. */
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
      // Another language is another document, and so is what is no page at all.
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
  // Without an order the event flags a lost one, although the sign-up itself went well.
  track(orderId ? "sign-up-done" : "sign-up-error");
}
