/** What the query of a return from a payment provider says. It only decides what is shown: what was paid is the provider's word. */
export type PaymentVerdict = "paid" | "failed" | "unknown";

export function paymentVerdict(query: URLSearchParams): PaymentVerdict {
  if (query.has("pg_failure_code")) return "failed";
  return query.get("pg_captured") === "1" ? "paid" : "unknown";
}
