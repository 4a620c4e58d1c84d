import type { Answers } from "./survey";

/** The answer of the category page before the questions. */
export const CATEGORIES = "categories";

export interface Limits {
  flows: readonly number[];
  variants: readonly number[];
  categories: readonly number[];
  abGroups: readonly string[];
}

/** Flow, variant, categories and test group of a survey. */
export interface SurveyKind {
  flow: number;
  variant: number;
  categories: readonly number[];
  abGroup: string | null;
}

/** The questions of a survey; an empty list is no limit. */
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

/** The index of the question in the URL, else of the first unanswered one, else 0. */
export function positionOf(questions: readonly { id: string }[], answers: Answers, requestedId: string | null): number {
  const named = questions.findIndex(({ id }) => id === requestedId);
  if (named >= 0) return named;
  return Math.max(
    0,
    questions.findIndex(({ id }) => answers[id] === undefined),
  );
}

/** The chosen options after a press: a single choice is replaced, a multiple choice has a limit. */
export function toggleOption(chosen: readonly string[], option: string, max: number): readonly string[] {
  if (max === 1) return [option];
  if (chosen.includes(option)) return chosen.filter((other) => other !== option);
  return chosen.length < max ? [...chosen, option] : chosen;
}

/** `categories=101,103`: non-numbers are dropped. */
export function categoriesOf(text: string | null): number[] {
  return (text ?? "").split(",").flatMap((part) => (/^\d+$/.test(part) ? [Number(part)] : []));
}

/** A path of this site from the URL, else the one from content. */
export function nextPageOf(requested: string | null, fallback: string): string {
  return requested !== null && /^\/[a-z0-9][a-z0-9/_-]*$/i.test(requested) ? requested : fallback;
}
