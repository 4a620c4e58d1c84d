/** Networks that Stripe accepts as a preference. */
export const CARD_NETWORKS = [
  "amex",
  "cartes_bancaires",
  "unionpay",
  "diners",
  "discover",
  "jcb",
  "mastercard",
  "visa",
] as const;

type CardNetwork = (typeof CARD_NETWORKS)[number];

/** Only co-branded cards have a choice: the first known network is taken. Stripe's types lack the list. */
export function preferredNetwork(event: object): CardNetwork | "" {
  const named: unknown[] = "networks" in event && Array.isArray(event.networks) ? event.networks : [];
  if (named.length < 2) return "";
  return CARD_NETWORKS.find((network) => network === named[0]) ?? "";
}
