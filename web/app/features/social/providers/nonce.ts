import { type Answer, postJson } from "~/lib/http/request";

interface Nonce {
  nonce: string;
}

/** Auth takes one for ten minutes; what is chosen late has to arrive in them. */
const FRESH_MS = 8 * 60_000;

let held: { answer: Promise<Answer<Nonce>>; until: number } | null = null;

/** The number that binds a provider's answer to this browser: one for all three, asked for ahead of the press. */
export function freshNonce(): Promise<Answer<Nonce>> {
  if (!held || isNonceStale()) held = { answer: ask(), until: Date.now() + FRESH_MS };
  return held.answer;
}

/** Whether the one that is held has become too old. */
export function isNonceStale(): boolean {
  return held !== null && held.until <= Date.now();
}

/** It is good once, whatever came of it. */
export function spendNonce(): void {
  held = null;
}

async function ask(): Promise<Answer<Nonce>> {
  const answer = await postJson<Nonce>("/api/auth/social/nonce");
  if (!answer.ok) spendNonce();
  return answer;
}
