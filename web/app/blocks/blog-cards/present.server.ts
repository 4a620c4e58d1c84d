import { type Locale, locales } from "~/lib/locale";
import type { Data, PageContext } from "../types";

export function presentBlogCards(block: Data<"BlogCards">, { locale }: PageContext) {
  return { ...block, posts: block.posts.map((post) => ({ ...post, dateText: dayText(post.date, locale) })) };
}

/** Parsed and formatted in UTC, so that the day stays the editor's. */
function dayText(date: string | null, locale: Locale): string | null {
  const day = date ? new Date(`${date}T00:00:00Z`) : null;
  if (!day || Number.isNaN(day.getTime())) return null;
  return new Intl.DateTimeFormat(locales[locale].tag, { dateStyle: "long", timeZone: "UTC" }).format(day);
}
