import type { Locale } from "~/lib/locale";
import { counselingWelcome } from "~/lib/session/counseling";
import type { User } from "~/lib/session/session";

/** How the session was opened. */
export type SignInKind = "signUp" | "signIn" | "autoSignIn";

export interface SignInContext {
  kind: SignInKind;
  user: User;
  /** The gateway's allowed target of `redirectPage`. */
  redirectPage: string | null;
  locale: Locale;
  query: URLSearchParams;
  /** The payment page that sent this tab to sign in. */
  paymentPage: string | null;
}

export type SignInDestination =
  | { to: "page"; path: string }
  | { to: "app"; extra: Record<string, string> }
  | { to: "stay" };

/**
 * The destination after a sign-in. `redeemCode` and `regular` lead to the app; any other value is a page of this site.
 */
export function signInDestination(context: SignInContext): SignInDestination {
  const { kind, user, redirectPage, locale, query, paymentPage } = context;
  const page = (path: string): SignInDestination => ({ to: "page", path });
  const requested = query.get("redirectPage");

  if (requested === "redeemCode")
    return { to: "app", extra: { redirect: "redeemCode", code: query.get("code") ?? "" } };
  if (requested === "regular" && user.isCoachingUser) return page(`/${locale}/coach/`);
  if (requested === "regular" && !user.isTherapyUser) return { to: "app", extra: {} };
  if (redirectPage) return page(withOtherParameters(redirectPage, query));
  if (kind === "autoSignIn" && !requested) return { to: "stay" };
  if (kind === "signUp") return page(`/${locale}/success-page/`);
  return page(
    counselingWelcome(user, locale) ?? (paymentPage ? withOtherParameters(paymentPage, query) : `/${locale}/`),
  );
}

/** Parameters that are not passed on. */
const OWN_PARAMETERS = ["redirectPage", "error", "done"];

function withOtherParameters(path: string, query: URLSearchParams): string {
  const target = new URL(path, "https://same.invalid");
  for (const [name, value] of query) {
    if (!OWN_PARAMETERS.includes(name) && !target.searchParams.has(name)) target.searchParams.set(name, value);
  }
  return target.pathname + target.search + target.hash;
}
