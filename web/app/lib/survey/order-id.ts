/** The survey order in the query, as `orderid` or `orderId`. */
export function orderIdOf(query: URLSearchParams): string | null {
  return query.get("orderid") || query.get("orderId") || null;
}
