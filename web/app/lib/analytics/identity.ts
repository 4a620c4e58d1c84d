import type { User } from "../session/session";
import type { Fields } from "./queue";

/** SHA-256 hashes of the user's fields; null without SubtleCrypto. */
export async function hashesOf({ user_id, fullName, email }: User): Promise<Fields | null> {
  const [name = "", ...others] = fullName.trim().split(/\s+/);
  return hashed({ id: user_id, name, last_name: others.at(-1) ?? "", email });
}

/** SHA-256 hashes of the non-empty values, trimmed and in lower case. */
export async function hashed(facts: Record<string, string>): Promise<Fields | null> {
  // Missing on plain http outside localhost.
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  if (!subtle) return null;
  const hashes = Object.entries(facts)
    .filter(([, fact]) => fact.trim() !== "")
    .map(async ([field, fact]) => [field, await sha256(subtle, fact.trim().toLowerCase())] as const);
  return Object.fromEntries(await Promise.all(hashes));
}

async function sha256(subtle: SubtleCrypto, text: string): Promise<string> {
  const digest = await subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
