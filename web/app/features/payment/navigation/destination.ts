import { internalHref } from "~/lib/links/links";
import { isTrue } from "~/lib/links/sign-up-url";
import type { Locale } from "~/lib/locale";
import type { OpenPayment, PostPaymentAction } from "~/lib/payment/open-payment";

export interface PaidVisit {
  locale: Locale;
  /** Path of the payment page. */
  path: string;
  query: URLSearchParams;
  /** From the block. */
  nextPage: string | null;
  therapyAppUrl: string | null;
  /** Pages that replace the usual ones, below the locale. */
  coachingPage?: string;
  defaultPage?: string;
}

export type Destination = { kind: "page"; url: string } | PostPaymentAction;

/** The destination after a subscription payment: the first matching rule wins. */
export function afterPayment(visit: PaidVisit): Destination {
  const { locale, query } = visit;
  const page = (path: string): Destination => ({ kind: "page", url: `/${locale}${path}` });
  const has = (flag: string) => isTrue(query.get(flag));
  const defaultUrl = `/${locale}${visit.defaultPage ?? "/success-page/"}`;

  if (visit.nextPage) return { kind: "page", url: withRedirectPage(internalHref(visit.nextPage, locale), visit) };
  if (has("specialProgram")) return { kind: "page", url: withRedirectPage(`/${locale}/success-page-premium/`, visit) };
  if (has("survey")) return page("/success/");
  if (has("successpageSpecialprogram")) return page("/successpage-specialprogram/");
  if (has("coachingSuccess")) return page(visit.coachingPage ?? "/success/coaching/newuser/");
  if (has("therapySuccess")) return therapyHandoff(visit) ?? { kind: "page", url: defaultUrl };
  if (has("nativeRedirection")) return page(`/success-page/?${query}`);
  if (has("downloadApp")) return page("/success/premium/downloadapp/");
  if (has("downloadAppNewUser")) return page("/success-newuser/");
  const requestedUrl = query.get("soul_redirection_url");
  if (requestedUrl) return { kind: "grantThenRedirect", requestedUrl, fallbackUrl: defaultUrl };
  return { kind: "page", url: defaultUrl };
}

export interface OneTimeVisit extends PaidVisit {
  route: "program" | "liveProgram" | "coachingNew" | "addition";
  /** From the block. */
  successRedirect: string | null;
}

const COACHING_NEW = "/success-coaching-new/";

/** The destination after a one-time payment: as for subscriptions, except for forms with their own pages. */
export function afterOneTimePayment(visit: OneTimeVisit): Destination {
  const { route, successRedirect, nextPage, locale } = visit;
  if (route === "liveProgram" && successRedirect && !nextPage) {
    return { kind: "page", url: internalHref(successRedirect, locale) };
  }
  if (route === "coachingNew") return afterPayment({ ...visit, coachingPage: COACHING_NEW });
  if (route === "addition") return afterPayment({ ...visit, coachingPage: COACHING_NEW, defaultPage: COACHING_NEW });
  return afterPayment(visit);
}

/** What the tab stores while the buyer pays on a provider's page, to continue after the return. */
export function continuationOf(to: Destination, locale: Locale): Pick<OpenPayment, "next" | "action"> {
  return to.kind === "page" ? { next: to.url } : { next: `/${locale}/success-page/`, action: to };
}

/** `redirectPage` is passed on unchanged: the next page asks the gateway whether it is allowed. */
function withRedirectPage(url: string, { path, query }: PaidVisit): string {
  const target = new URL(url, "https://same.invalid");
  target.searchParams.set("redirectPage", query.get("redirectPage") ?? path);
  return target.pathname + target.search + target.hash;
}

function therapyHandoff({ locale, therapyAppUrl }: PaidVisit): Destination | null {
  return therapyAppUrl ? { kind: "therapyHandoff", url: `${therapyAppUrl}/${locale}/therapy/` } : null;
}

/** The therapy app reads the token from the query; without one its user signs in there. */
export function withToken(url: string, token: string | null): string {
  return token ? `${url}?${new URLSearchParams({ token })}` : url;
}
