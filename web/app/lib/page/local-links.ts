import { internalHref } from "../links/links";
import type { Locale } from "../locale";

/** Content writes paths without a locale. Blocks add it as they draw; in ready HTML it is done here, once. */
export function withLocalLinks<T>(node: T, locale: Locale): T {
  return walk(node, "", locale) as T;
}

function walk(node: unknown, name: string, locale: Locale): unknown {
  if (typeof node === "string") return /^html$|Html$/.test(name) ? localized(node, locale) : node;
  if (Array.isArray(node)) return node.map((item) => walk(item, name, locale));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([field, value]) => [field, walk(value, field, locale)]));
}

/** The service that made the HTML writes attributes in one way only. */
function localized(html: string, locale: Locale): string {
  return html.replaceAll(/(<a href=")(\/[^"]*)"/g, (_, before: string, url: string) => {
    return `${before}${internalHref(url, locale)}"`;
  });
}
