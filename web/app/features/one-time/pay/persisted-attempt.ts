import { local } from "~/lib/browser/storage";
import { hash } from "~/lib/random";
import type { PaymentAttempt } from "./pay-one-time";

/**
 * An attempt that is not decided outlives its page: whoever closes the tab midway, or has the page open twice, sends the same
 * again and pays once. Who they are is kept as a number that tells nobody.
 */

const KEY = "oneTimePayment";
/** Our server gives up an unpaid attempt after a day. */
const TTL_MS = 60 * 60 * 1_000;

interface StoredAttempt {
  fingerprint: number;
  storedAt: number;
  key: string;
  body: PaymentAttempt["body"];
}

/** What has to be the same for an attempt to be the same: the buyer, what they buy, its price, and how it is opened. */
export function attemptFingerprint(...parts: string[]): number {
  return hash(parts.map((part) => part.trim().toLowerCase()).join("\n"));
}

export function persistAttempt(fingerprint: number, { key, body }: PaymentAttempt, now = Date.now()): void {
  local.set(KEY, JSON.stringify({ fingerprint, storedAt: now, key, body } satisfies StoredAttempt));
}

export function persistedAttempt(fingerprint: number, now = Date.now()): PaymentAttempt | null {
  const kept = parse(local.get(KEY));
  if (!kept || kept.fingerprint !== fingerprint || now - kept.storedAt > TTL_MS) return null;
  return { key: kept.key, body: kept.body, opened: null };
}

/** That one alone: another tab may have kept one of its own since. */
export function removePersistedAttempt(key: string): void {
  if (parse(local.get(KEY))?.key === key) local.remove(KEY);
}

function parse(text: string | null): StoredAttempt | null {
  try {
    const kept = JSON.parse(text ?? "null");
    return typeof kept?.key === "string" && typeof kept.body === "object" ? kept : null;
  } catch {
    return null;
  }
}
