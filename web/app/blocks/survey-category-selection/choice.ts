export const MOST_CHOSEN = 3;

/** What is chosen after a press: back out what was in, else in as long as there is room. */
export function toggled(chosen: readonly number[], category: number): readonly number[] {
  if (chosen.includes(category)) return chosen.filter((other) => other !== category);
  return chosen.length < MOST_CHOSEN ? [...chosen, category] : chosen;
}
