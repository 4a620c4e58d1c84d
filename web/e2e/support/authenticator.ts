/** An authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). */
import { createHmac } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;
const DIGITS = 6;

export class Authenticator {
  readonly #key: Buffer;
  #last = 0;

  /** The secret in base32. */
  constructor(secret: string) {
    this.#key = decode(secret);
  }

  /**
   * A code that was not used before: the server accepts each step once, and one step ahead. A third code within a step
   * is therefore refused.
   */
  code(): string {
    this.#last = Math.max(Math.floor(Date.now() / STEP_MS), this.#last + 1);
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(this.#last));
    const digest = createHmac("sha1", this.#key).update(counter).digest();
    const offset = (digest.at(-1) ?? 0) % 16;
    const number = digest.readUInt32BE(offset) % 2 ** 31;
    return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
  }
}

function decode(secret: string): Buffer {
  const bits = [...secret.replaceAll("=", "")].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
