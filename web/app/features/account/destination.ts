import type { Locale } from "~/lib/locale";
import { counselingWelcome } from "~/lib/session/counseling";
import type { User } from "~/lib/session/session";

/** How somebody came to be signed in. */
export type Kind = "signUp" | "signIn" | "autoSignIn";

export interface Arrival {
  kind: Kind;
  user: User;
  /** The gateway's answer to where the query may lead. */
  redirectPage: string | null;
  locale: Locale;
  query: URLSearchParams;
  /** The payment page this tab was sent away from. */
  paymentPage: string | null;
}

export type Onwards = { to: "page"; path: string } | { to: "app"; extra: Record<string, string> } | { to: "stay" };

/** Where somebody goes once signed in. Two words stand for the app; everything else is a page of this site. */
export function onwards(arrival: Arrival): Onwards {
  const { kind, user, redirectPage, locale, query, paymentPage } = arrival;
  const page = (path: string): Onwards => ({ to: "page", path });
  const wanted = query.get("redirectPage");

  if (wanted === "redeemCode") return { to: "app", extra: { redirect: "redeemCode", code: query.get("code") ?? "" } };
  if (wanted === "regular" && user.isCoachingUser) return page(`/${locale}/coach/`);
  if (wanted === "regular" && !user.isTherapyUser) return { to: "app", extra: {} };
  if (redirectPage) return page(withRest(redirectPage, query));
  if (kind === "autoSignIn" && !wanted) return { to: "stay" };
  if (kind === "signUp") return page(`/${locale}/success-page/`);
  return page(counselingWelcome(user, locale) ?? (paymentPage ? withRest(paymentPage, query) : `/${locale}/`));
}

/** What only the page itself was told. */
const OWN_PARAMETERS = ["redirectPage", "error", "done"];

function withRest(path: string, query: URLSearchParams): string {
  const target = new URL(path, "https://same.invalid");
  for (const [name, value] of query) {
    if (!OWN_PARAMETERS.includes(name) && !target.searchParams.has(name)) target.searchParams.set(name, value);
  }
  return target.pathname + target.search + target.hash;
}
