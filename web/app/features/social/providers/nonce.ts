import { type Answer, postJson } from "~/lib/http/request";

interface Nonce {
  nonce: string;
}

/** Auth takes one for ten minutes; what is chosen late has to arrive in them. */
const NONCE_TTL_MS = 8 * 60_000;

let cached: { answer: Promise<Answer<Nonce>>; until: number } | null = null;

/** The number that binds a provider's answer to this browser: one for all three, asked for ahead of the press. */
export function freshNonce(): Promise<Answer<Nonce>> {
  if (!cached || isNonceStale()) cached = { answer: requestNonce(), until: Date.now() + NONCE_TTL_MS };
  return cached.answer;
}

/** Whether the one that is held has become too old. */
export function isNonceStale(): boolean {
  return cached !== null && cached.until <= Date.now();
}

/** It is good once, whatever came of it. */
export function spendNonce(): void {
  cached = null;
}

async function requestNonce(): Promise<Answer<Nonce>> {
  const answer = await postJson<Nonce>("/api/auth/social/nonce");
  if (!answer.ok) spendNonce();
  return answer;
}
