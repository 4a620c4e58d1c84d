/** The gift's address from the query, if it is one of this site: what is copied here is sent to a friend. */
export function giftLink(query: URLSearchParams, origin: string): string | null {
  const wanted = query.get("url");
  if (!wanted || !URL.canParse(wanted, origin)) return null;
  const url = new URL(wanted, origin);
  return url.origin === origin ? url.href : null;
}
