import { type Locale, localeOf } from "../locale";

/** Links in the wild carry `true/`, too. */
export function isTrue(value: string | null): boolean {
  return value === "true" || value === "true/";
}

/** Where somebody who has an account goes, with the way back. */
export function signInUrl(pathname: string): string {
  return `/${localeOf(pathname)}/signin/?${new URLSearchParams({ redirectPage: pathname })}`;
}

/** Where somebody without an account goes, with the way back and the flags of the visit in the query. */
export function signUpUrl(locale: Locale, path: string, query: URLSearchParams): string {
  const page = isTrue(query.get("specialProgram")) ? "email-signup" : "signup";
  const params = new URLSearchParams(query);
  params.set("redirectPage", path);
  return `/${locale}/${page}/?${params}`;
}
