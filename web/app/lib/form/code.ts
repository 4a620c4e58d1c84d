/** Codes of a second factor: of an authenticator app, or a recovery code. */
import type { Problem } from "../http/request";

const WRONG = "SECOND_FACTOR_WRONG";

/** Without spaces, and with ASCII digits: keyboards also type Arabic and full-width ones, whose numbers end alike. */
export function plainCode(typed: string): string {
  return typed
    .normalize("NFKC")
    .replaceAll(/\s/g, "")
    .replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16));
}

/** The server does not accept this code. */
export function isWrongCode({ code, errors }: Problem): boolean {
  return code === WRONG || errors.some((error) => error.code === WRONG);
}
