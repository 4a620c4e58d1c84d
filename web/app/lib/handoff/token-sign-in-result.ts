/** A member who has just been signed in by a token, until the page is alive and leads them on. */

export interface TokenSignInResult {
  /** The gateway's answer to where `redirectPage` may lead. */
  redirectPage: string | null;
  /** The page they came to. */
  pathname: string;
}

let result: TokenSignInResult | null = null;

export function storeTokenSignIn(arrived: TokenSignInResult): void {
  result = arrived;
}

export function hasTokenSignIn(): boolean {
  return result !== null;
}

/** Once: somebody who comes back to the page stays there. */
export function takeTokenSignIn(pathname: string): TokenSignInResult | null {
  const taken = result;
  result = null;
  return taken?.pathname === pathname ? taken : null;
}
