/**
 * The tokens that a mailed or handed-over link brought: `token` opens an account, `emailToken` confirms an address. They are taken out
 * of the address before scripts of others, reports and the history of the browser can keep them, and stay in memory for as long as the
 * page does.
 */
import { useMemo } from "react";
import { useLocation } from "react-router";
import { useHydrated } from "../browser/hydrated";

interface UrlToken {
  token: string;
  pathname: string;
}

const NAMES = ["token", "emailToken"] as const;
export type TokenName = (typeof NAMES)[number];

const tokens = new Map<TokenName, UrlToken>();

/** Call before anything reads the address. */
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

/** Only for the page it came to: each kind of page takes tokens of its own. */
export function urlToken(pathname: string, name: TokenName = "token"): string | null {
  const found = tokens.get(name);
  return found?.pathname === pathname ? found.token : null;
}

/** Used up: it must not be tried again when somebody comes back to the page. */
export function clearUrlToken(name: TokenName = "token"): void {
  tokens.delete(name);
}

/** None on the server and while hydrating, because a page is the same for everybody. */
export function useUrlToken(name: TokenName = "token"): string | null {
  const { pathname } = useLocation();
  const alive = useHydrated();
  return useMemo(() => (alive ? urlToken(pathname, name) : null), [alive, pathname, name]);
}
