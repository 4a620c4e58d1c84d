/** The visitor's survey from the server. Answers may be about health, so the browser does not store them. */
import { useEffect, useSyncExternalStore } from "react";
import { getJson, type Problem, sendJson } from "~/lib/http/request";

/** Question id → ids of the chosen options. */
export type Answers = Readonly<Record<string, readonly string[]>>;

export interface Survey {
  orderid: string;
  flow: number;
  variant: number;
  abgroup: string | null;
  answers: Answers;
  /** The suggested programme. */
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

/** Loads once per page. After a failure there is no survey. */
export function fetchSurvey(): Promise<Survey | null> {
  pending ??= getJson<{ survey: Survey | null }>("/api/survey").then((answer) => {
    set(answer.ok ? answer.value.survey : null);
    if (!answer.ok) pending = null;
    return known ?? null;
  });
  return pending;
}

/** After a new order: the next load asks the server again. */
export function invalidateSurvey(): void {
  known = undefined;
  pending = null;
}

/** Null: saved. */
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
