/**
 * Tokens of mailed links: `token` opens an account or ends a session, `emailToken` confirms an address; `challenge` names
 * a sign-in that waits for its second step. They are removed from the URL before third-party scripts, reports and the
 * history can store them, and stay in memory.
 */
import { useMemo } from "react";
import { useLocation } from "react-router";
import { useHydrated } from "../browser/hydrated";

interface UrlToken {
  token: string;
  pathname: string;
}

const NAMES = ["token", "emailToken", "challenge"] as const;
export type TokenName = (typeof NAMES)[number];

const tokens = new Map<TokenName, UrlToken>();

/** Call before anything else reads the URL. */
export function takeUrlTokens(): void {
  const url = new URL(location.href);
  for (const name of NAMES) {
    const token = url.searchParams.get(name);
    if (token === null) continue;
    url.searchParams.delete(name);
    history.replaceState(history.state, "", url);
    tokens.set(name, { token, pathname: url.pathname });
  }
}

/** Only on the page of the link: each kind of page has its own tokens. */
export function urlToken(pathname: string, name: TokenName = "token"): string | null {
  const found = tokens.get(name);
  return found?.pathname === pathname ? found.token : null;
}

/** A used token must not be tried again on a return to the page. */
export function clearUrlToken(name: TokenName = "token"): void {
  tokens.delete(name);
}

/** Null on the server and during hydration, because cached HTML is the same for everyone. */
export function useUrlToken(name: TokenName = "token"): string | null {
  const { pathname } = useLocation();
  const isHydrated = useHydrated();
  return useMemo(() => (isHydrated ? urlToken(pathname, name) : null), [isHydrated, pathname, name]);
}
