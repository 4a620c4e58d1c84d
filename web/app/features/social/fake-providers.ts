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
