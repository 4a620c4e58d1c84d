const FEW: Record<number, string> = {
  1: "mx-auto max-w-[26rem]",
  2: "mx-auto max-w-[46rem] md:grid-cols-2",
};

/** The columns for so many cards: one or two stand in the middle, not beside a hole. */
export function columnsFor(count: number): string {
  return FEW[count] ?? "md:grid-cols-2 lg:grid-cols-3";
}
