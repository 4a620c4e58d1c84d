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
  /** Where the usual ones are others, by the locale's path. */
  coachingPage?: string;
  defaultPage?: string;
}

export type Destination = { kind: "page"; url: string } | PostPaymentAction;

/** Where a paid visitor goes: the first rule that holds wins. */
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

/** Where somebody goes who has paid once: as everybody, but for the forms that have a page of their own. */
export function afterOneTimePayment(visit: OneTimeVisit): Destination {
  const { route, successRedirect, nextPage, locale } = visit;
  if (route === "liveProgram" && successRedirect && !nextPage) {
    return { kind: "page", url: internalHref(successRedirect, locale) };
  }
  if (route === "coachingNew") return afterPayment({ ...visit, coachingPage: COACHING_NEW });
  if (route === "addition") return afterPayment({ ...visit, coachingPage: COACHING_NEW, defaultPage: COACHING_NEW });
  return afterPayment(visit);
}

/** What a tab keeps of the way while its buyer pays on a provider's page, to go it on coming back. */
export function continuationOf(to: Destination, locale: Locale): Pick<OpenPayment, "next" | "action"> {
  return to.kind === "page" ? { next: to.url } : { next: `/${locale}/success-page/`, action: to };
}

/** The wish goes on as it came: whoever follows it asks the gateway where it leads. */
function withRedirectPage(url: string, { path, query }: PaidVisit): string {
  const target = new URL(url, "https://same.invalid");
  target.searchParams.set("redirectPage", query.get("redirectPage") ?? path);
  return target.pathname + target.search + target.hash;
}

function therapyHandoff({ locale, therapyAppUrl }: PaidVisit): Destination | null {
  return therapyAppUrl ? { kind: "therapyHandoff", url: `${therapyAppUrl}/${locale}/therapy/` } : null;
}

/** The token goes in the query, as the therapy app expects it; without one its visitor signs in there. */
export function withToken(url: string, token: string | null): string {
  return token ? `${url}?${new URLSearchParams({ token })}` : url;
}
