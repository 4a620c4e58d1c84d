import { local } from "~/lib/browser/storage";
import { hash } from "~/lib/random";
import type { PaymentAttempt } from "./pay-one-time";

/**
 * An undecided attempt survives its page: after a closed tab, or in a second one, the same attempt is resent and paid
 * once. The buyer is stored as a hash.
 */

const KEY = "oneTimePayment";
/** Our server expires an unpaid attempt after a day. */
const TTL_MS = 60 * 60 * 1_000;

interface StoredAttempt {
  fingerprint: number;
  storedAt: number;
  key: string;
  body: PaymentAttempt["body"];
}

/** A hash of buyer, product, price and purpose: attempts with the same fingerprint are the same. */
export function attemptFingerprint(...parts: string[]): number {
  return hash(parts.map((part) => part.trim().toLowerCase()).join("\n"));
}

export function persistAttempt(fingerprint: number, { key, body }: PaymentAttempt, now = Date.now()): void {
  local.set(KEY, JSON.stringify({ fingerprint, storedAt: now, key, body } satisfies StoredAttempt));
}

export function persistedAttempt(fingerprint: number, now = Date.now()): PaymentAttempt | null {
  const stored = parse(local.get(KEY));
  if (!stored || stored.fingerprint !== fingerprint || now - stored.storedAt > TTL_MS) return null;
  return { key: stored.key, body: stored.body, opened: null };
}

/** Only this attempt: another tab may have stored a newer one. */
export function removePersistedAttempt(key: string): void {
  if (parse(local.get(KEY))?.key === key) local.remove(KEY);
}

function parse(text: string | null): StoredAttempt | null {
  try {
    const stored = JSON.parse(text ?? "null");
    return typeof stored?.key === "string" && typeof stored.body === "object" ? stored : null;
  } catch {
    return null;
  }
}
