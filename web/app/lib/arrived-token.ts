/**
 * The `token` a mailed or handed-over link brought. It opens an account, so it is taken out of the address before scripts of others,
 * reports and the history of the browser can keep it, and stays in memory for as long as the page does.
 */
import { useMemo } from "react";
import { useLocation } from "react-router";
import { useAlive } from "./alive";

interface Arrived {
  token: string;
  pathname: string;
}

let arrived: Arrived | null = null;

/** Call before anything reads the address. */
export function takeToken(): void {
  const url = new URL(location.href);
  const token = url.searchParams.get("token");
  if (token === null) return;
  url.searchParams.delete("token");
  history.replaceState(history.state, "", url);
  arrived = { token, pathname: url.pathname };
}

/** Only for the page it came to: each kind of page takes tokens of its own. */
export function arrivedToken(pathname: string): string | null {
  return arrived?.pathname === pathname ? arrived.token : null;
}

/** Used up: it must not be tried again when somebody comes back to the page. */
export function forgetToken(): void {
  arrived = null;
}

/** None on the server and while hydrating, because a page is the same for everybody. */
export function useArrivedToken(): string | null {
  const { pathname } = useLocation();
  const alive = useAlive();
  return useMemo(() => (alive ? arrivedToken(pathname) : null), [alive, pathname]);
}
