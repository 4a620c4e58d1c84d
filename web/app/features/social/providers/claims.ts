/** Claims of an unverified id token: the page only copies them, auth verifies the token. */
export type Claims = Partial<Record<string, string>>;

/** Empty for an invalid token. */
export function claimsOf(token: string): Claims {
  try {
    const body = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(body), (character) => character.codePointAt(0) ?? 0);
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const texts = Object.entries(claims ?? {}).filter(([, value]) => typeof value === "string");
    return Object.fromEntries(texts) as Claims;
  } catch {
    return {};
  }
}
