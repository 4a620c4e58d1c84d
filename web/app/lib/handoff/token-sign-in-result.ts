/** A member who has just been signed in by a token, until the page is alive and leads them on. */

export interface TokenArrival {
  /** The gateway's answer to where `redirectPage` may lead. */
  redirectPage: string | null;
  /** The page they came to. */
  pathname: string;
}

let arrival: TokenArrival | null = null;

export function keepArrival(arrived: TokenArrival): void {
  arrival = arrived;
}

export function hasArrived(): boolean {
  return arrival !== null;
}

/** Once: somebody who comes back to the page stays there. */
export function takeArrival(pathname: string): TokenArrival | null {
  const taken = arrival;
  arrival = null;
  return taken?.pathname === pathname ? taken : null;
}
