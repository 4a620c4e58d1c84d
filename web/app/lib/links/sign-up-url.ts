import { type Locale, localeOf } from "../locale";

/** Some published links contain `true/`. */
export function isTrue(value: string | null): boolean {
  return value === "true" || value === "true/";
}

/** Sign-in page with the way back. */
export function signInUrl(pathname: string): string {
  return `/${localeOf(pathname)}/signin/?${new URLSearchParams({ redirectPage: pathname })}`;
}

/** Sign-up page with the way back and the flags of the visit. */
export function signUpUrl(locale: Locale, path: string, query: URLSearchParams): string {
  const page = isTrue(query.get("specialProgram")) ? "email-signup" : "signup";
  const params = new URLSearchParams(query);
  params.set("redirectPage", path);
  return `/${locale}/${page}/?${params}`;
}
