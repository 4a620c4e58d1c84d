export const MOST_CHOSEN = 3;

/** The chosen options after a press: toggled, up to the limit. */
export function toggled(chosen: readonly number[], category: number): readonly number[] {
  if (chosen.includes(category)) return chosen.filter((other) => other !== category);
  return chosen.length < MOST_CHOSEN ? [...chosen, category] : chosen;
}
