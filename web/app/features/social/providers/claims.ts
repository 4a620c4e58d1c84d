/** What an id token says, as yet unproven: the page only copies it, auth judges the token itself. */
export type Claims = Partial<Record<string, string>>;

/** Nothing where it is no token. */
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
