import { safePath } from "~/lib/links";
import type { Locale } from "~/lib/locale";
import type { Mode } from "./validate";

interface Arrival {
  mode: Mode;
  locale: Locale;
  query: URLSearchParams;
  /** The payment page this tab was sent away from. */
  paymentPage: string | null;
}

/** Where somebody goes once signed in: only to paths of this site, with the rest of the query still attached. */
export function destination({ mode, locale, query, paymentPage }: Arrival): string {
  const wanted = safePath(query.get("redirectPage"));
  if (wanted) return withRest(wanted, query);
  if (mode === "signUp") return `/${locale}/success-page/`;
  return safePath(paymentPage) ?? `/${locale}/`;
}

function withRest(path: string, query: URLSearchParams): string {
  const target = new URL(path, "https://same.invalid");
  for (const [name, value] of query) {
    if (name !== "redirectPage" && !target.searchParams.has(name)) target.searchParams.set(name, value);
  }
  return target.pathname + target.search + target.hash;
}

/** `orderid`, `orderId`: one thing under two names. */
export function orderIdOf(query: URLSearchParams): string | null {
  return query.get("orderid") ?? query.get("orderId");
}
