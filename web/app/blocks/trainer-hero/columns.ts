/** Alternates the columns, so that neighbours in the list are side by side. A single person fills every column. */
export function columnsOf<T>(items: readonly T[], count: number): T[][] {
  if (items.length < count) return [[...items]];
  return Array.from({ length: count }, (_, column) => items.filter((_, index) => index % count === column));
}
