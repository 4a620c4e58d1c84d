import type { Answers } from "./survey";

interface Match {
  question: string;
  option: string;
  reason: string | null;
}

/** The programme with the most matching answers, the first on a tie; null: no match. */
export function suggestedProgram<P extends { matches: readonly Match[] }>(
  programs: readonly P[],
  answers: Answers,
): P | null {
  let best: P | null = null;
  let most = 0;
  for (const program of programs) {
    const count = matching(program, answers).length;
    if (count > most) [best, most] = [program, count];
  }
  return best;
}

/** Content's reasons for a suggestion, each once. */
export function reasonsFor(program: { matches: readonly Match[] }, answers: Answers): string[] {
  const reasons = matching(program, answers).flatMap(({ reason }) => (reason ? [reason] : []));
  return [...new Set(reasons)];
}

function matching({ matches }: { matches: readonly Match[] }, answers: Answers): Match[] {
  return matches.filter(({ question, option }) => answers[question]?.includes(option));
}
