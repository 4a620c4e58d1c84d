/** The survey order in the address: `orderid`, `orderId`, one thing under two names. */
export function orderIdOf(query: URLSearchParams): string | null {
  return query.get("orderid") || query.get("orderId") || null;
}
