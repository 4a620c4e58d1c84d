import type { Answer, Problem } from "../http/request";
import { setSession } from "./session";

/** For calls that need a session: one that ended elsewhere turns the member into a visitor. */
export async function asMember<T>(call: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await call;
  if (!answer.ok && isSignedOut(answer.problem)) setSession({ state: "visitor" });
  return answer;
}

function isSignedOut({ status, code }: Problem): boolean {
  return status === 401 && code === "V100";
}
