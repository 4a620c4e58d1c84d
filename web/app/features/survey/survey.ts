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
let asked: Promise<Survey | null> | null = null;
const listeners = new Set<() => void>();

function set(survey: Survey | null): void {
  known = survey;
  for (const listener of listeners) listener();
}

/** Asks once per page life. A gateway that does not answer leaves a visitor without a survey. */
export function askSurvey(): Promise<Survey | null> {
  asked ??= getJson<{ survey: Survey | null }>("/api/survey").then((answer) => {
    set(answer.ok ? answer.value.survey : null);
    if (!answer.ok) asked = null;
    return known ?? null;
  });
  return asked;
}

/** After another order was opened: the next question asks anew. */
export function forgetSurvey(): void {
  known = undefined;
  asked = null;
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
export function useSurveyOfVisitor(): Survey | null | undefined {
  useEffect(() => void askSurvey(), []);
  return useSyncExternalStore(
    subscribe,
    () => known,
    () => undefined,
  );
}
