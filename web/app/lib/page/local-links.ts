import { internalHref } from "../links/links";
import type { Locale } from "../locale";

/** Content has paths without a locale. Blocks add it on rendering; HTML fields get it here. */
export function withLocalLinks<T>(node: T, locale: Locale): T {
  return walk(node, "", locale) as T;
}

function walk(node: unknown, name: string, locale: Locale): unknown {
  if (typeof node === "string") return /^html$|Html$/.test(name) ? localized(node, locale) : node;
  if (Array.isArray(node)) return node.map((item) => walk(item, name, locale));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([field, value]) => [field, walk(value, field, locale)]));
}

/** The content service writes attributes in one way only. */
function localized(html: string, locale: Locale): string {
  return html.replaceAll(/(<a href=")(\/[^"]*)"/g, (_, before: string, url: string) => {
    return `${before}${internalHref(url, locale)}"`;
  });
}
