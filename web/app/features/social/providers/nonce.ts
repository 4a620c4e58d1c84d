import { type Answer, postJson } from "~/lib/http/request";

interface Nonce {
  nonce: string;
}

/** Auth accepts a nonce for ten minutes; some are left for the sign-in itself. */
const NONCE_TTL_MS = 8 * 60_000;

let cached: { answer: Promise<Answer<Nonce>>; until: number } | null = null;

/** The nonce that binds a provider's response to this browser. All three share one, requested before the press. */
export function freshNonce(): Promise<Answer<Nonce>> {
  if (!cached || isNonceStale()) cached = { answer: requestNonce(), until: Date.now() + NONCE_TTL_MS };
  return cached.answer;
}

/** Whether the cached nonce has expired. */
export function isNonceStale(): boolean {
  return cached !== null && cached.until <= Date.now();
}

/** A nonce can be used once, whatever the result. */
export function spendNonce(): void {
  cached = null;
}

async function requestNonce(): Promise<Answer<Nonce>> {
  const answer = await postJson<Nonce>("/api/auth/social/nonce");
  if (!answer.ok) spendNonce();
  return answer;
}
