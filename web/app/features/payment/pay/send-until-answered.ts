import type { Answer, Problem } from "~/lib/http/request";

const RETRY_DELAYS_MS = [1_000, 3_000] as const;

interface Sending<T> {
  send: () => Promise<Answer<T>>;
  /** An answer with a 4xx status is still an answer: it refuses the request. */
  refusalOf: (problem: Problem) => T;
  pause: (ms: number) => Promise<void>;
}

/** Sends the same request up to three times, until our server answers it. Not ok: no answer arrived. */
export async function sendUntilAnswered<T>({ send, refusalOf, pause }: Sending<T>): Promise<Answer<T>> {
  for (const delay of RETRY_DELAYS_MS) {
    const answer = await send();
    if (isAnswered(answer)) return withRefusal(answer, refusalOf);
    await pause(delay);
  }
  return withRefusal(await send(), refusalOf);
}

function isAnswered<T>(answer: Answer<T>): boolean {
  return answer.ok || (answer.problem.status !== 0 && answer.problem.status < 500);
}

function withRefusal<T>(answer: Answer<T>, refusalOf: (problem: Problem) => T): Answer<T> {
  if (answer.ok || !isAnswered(answer)) return answer;
  return { ok: true, status: answer.problem.status, value: refusalOf(answer.problem) };
}
