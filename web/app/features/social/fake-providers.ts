/** Fake provider scripts for tests: they record calls and give preset responses. */
import { vi } from "vitest";

export function idToken(claims: object): string {
  const part = (value: object) =>
    btoa(String.fromCodePoint(...new TextEncoder().encode(JSON.stringify(value))))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");
  return `${part({ alg: "RS256" })}.${part(claims)}.c2lnbmF0dXJl`;
}

/** Scripts load at once, unless their URL contains one of these. */
export function scripts({ broken = [] as string[] } = {}): string[] {
  const loaded: string[] = [];
  vi.spyOn(document.head, "append").mockImplementation((...nodes) => {
    for (const node of nodes) {
      if (!(node instanceof HTMLScriptElement)) continue;
      loaded.push(node.src);
      const isBroken = broken.some((name) => node.src.includes(name));
      queueMicrotask(() => node.dispatchEvent(new Event(isBroken ? "error" : "load")));
    }
  });
  return loaded;
}

export const user = {
  user_id: "usr_1",
  fullName: "Ada",
  email: "ada@example.com",
  isCoachingUser: false,
  isTherapyUser: false,
};
export const claims = {
  sub: "108",
  email: "ada@example.com",
  given_name: "Ada",
  name: "Ada Y",
  picture: "https://p.example/a",
};
export const credential = idToken(claims);

export const all = {
  apple: { clientId: "a-1", scriptUrl: "https://sandbox.example/apple.js" },
  google: { clientId: "g-1", scriptUrl: "https://sandbox.example/google.js" },
  facebook: { clientId: "f-1", scriptUrl: "https://sandbox.example/facebook.js" },
};
