/** The survey of this browser or member, as the server holds it. Answers may be about health: none is kept in the browser. */
import { useEffect, useSyncExternalStore } from "react";
import { getJson, type Problem, sendJson } from "~/lib/http/request";

/** Question → chosen options, by the ids that content gives them. */
export type Answers = Readonly<Record<string, readonly string[]>>;

export interface Survey {
  orderid: string;
  flow: number;
  variant: number;
  abgroup: string | null;
  answers: Answers;
  /** The programme that was suggested. */
  program: string | null;
}

/** `undefined` until the server has answered. */
let known: Survey | null | undefined;
let pending: Promise<Survey | null> | null = null;
const listeners = new Set<() => void>();

function set(survey: Survey | null): void {
  known = survey;
  for (const listener of listeners) listener();
}

/** Asks once per page life. A gateway that does not answer leaves a visitor without a survey. */
export function fetchSurvey(): Promise<Survey | null> {
  pending ??= getJson<{ survey: Survey | null }>("/api/survey").then((answer) => {
    set(answer.ok ? answer.value.survey : null);
    if (!answer.ok) pending = null;
    return known ?? null;
  });
  return pending;
}

/** After another order was opened: the next question asks anew. */
export function invalidateSurvey(): void {
  known = undefined;
  pending = null;
}

/** Null: stored. */
export async function saveAnswers(
  orderid: string,
  change: { answers?: Answers; program?: string },
): Promise<Problem | null> {
  const answer = await sendJson<null>("PUT", "/api/survey/answers", { body: { orderid, ...change } });
  if (!answer.ok) return answer.problem;
  if (known?.orderid === orderid) {
    set({ ...known, answers: { ...known.answers, ...change.answers }, program: change.program ?? known.program });
  }
  return null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `undefined` on the server, while hydrating, and until it is known. */
export function useVisitorSurvey(): Survey | null | undefined {
  useEffect(() => void fetchSurvey(), []);
  return useSyncExternalStore(
    subscribe,
    () => known,
    () => undefined,
  );
}
