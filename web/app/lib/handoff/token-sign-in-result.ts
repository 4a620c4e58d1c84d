/** The result of a token sign-in, until the page is hydrated and navigates. */

export interface TokenSignInResult {
  /** The gateway's allowed target of `redirectPage`. */
  redirectPage: string | null;
  /** The page of the sign-in. */
  pathname: string;
}

let result: TokenSignInResult | null = null;

export function storeTokenSignIn(signIn: TokenSignInResult): void {
  result = signIn;
}

export function hasTokenSignIn(): boolean {
  return result !== null;
}

/** Can be taken once: returning to the page must not navigate again. */
export function takeTokenSignIn(pathname: string): TokenSignInResult | null {
  const taken = result;
  result = null;
  return taken?.pathname === pathname ? taken : null;
}
