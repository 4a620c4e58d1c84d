/** Networks of co-branded cards the provider can be asked to prefer. */
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

/**
 * A choice exists only on co-branded cards; then the first the provider names is taken, and none that we do not know. Its types do
 * not tell of the list.
 */
export function preferredNetwork(event: object): CardNetwork | "" {
  const named: unknown[] = "networks" in event && Array.isArray(event.networks) ? event.networks : [];
  if (named.length < 2) return "";
  return CARD_NETWORKS.find((network) => network === named[0]) ?? "";
}
