import type { Answers } from "./survey";

/** The answer of the page before the questions. */
export const CATEGORIES = "categories";

export interface Limits {
  flows: readonly number[];
  variants: readonly number[];
  categories: readonly number[];
  abGroups: readonly string[];
}

/** Which survey is asked. */
export interface SurveyKind {
  flow: number;
  variant: number;
  categories: readonly number[];
  abGroup: string | null;
}

/** The questions of a survey: a list that is empty limits nothing. */
export function questionsOf<Q extends Limits>(questions: readonly Q[], kind: SurveyKind): Q[] {
  return questions.filter(
    ({ flows, variants, categories, abGroups }) =>
      allows(flows, [kind.flow]) &&
      allows(variants, [kind.variant]) &&
      allows(categories, kind.categories) &&
      allows(abGroups, kind.abGroup === null ? [] : [kind.abGroup]),
  );
}

function allows<T>(allowed: readonly T[], given: readonly T[]): boolean {
  return allowed.length === 0 || given.some((value) => allowed.includes(value));
}

/** Where a survey is gone on with: at the question of the address, else at the first without an answer, else at the first. */
export function positionOf(questions: readonly { id: string }[], answers: Answers, wanted: string | null): number {
  const named = questions.findIndex(({ id }) => id === wanted);
  if (named >= 0) return named;
  return Math.max(
    0,
    questions.findIndex(({ id }) => answers[id] === undefined),
  );
}

/** The options of a question after one was pressed: with one to choose it replaces the other, with several there is a limit. */
export function toggleOption(chosen: readonly string[], option: string, max: number): readonly string[] {
  if (max === 1) return [option];
  if (chosen.includes(option)) return chosen.filter((other) => other !== option);
  return chosen.length < max ? [...chosen, option] : chosen;
}

/** `categories=101,103`: what is no number is left out. */
export function categoriesOf(text: string | null): number[] {
  return (text ?? "").split(",").flatMap((part) => (/^\d+$/.test(part) ? [Number(part)] : []));
}

/** A page of this site that an address may name; else what content names. */
export function nextPageOf(wanted: string | null, usual: string): string {
  return wanted !== null && /^\/[a-z0-9][a-z0-9/_-]*$/i.test(wanted) ? wanted : usual;
}
