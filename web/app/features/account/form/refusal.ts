import { faultsOf } from "~/lib/form/account-fields";
import type { Problem } from "~/lib/http/request";
import { CHALLENGE_EXPIRED } from "../second-step/codes";
import type { Faults, Purpose } from "./validate";

/** The server's faults by form field. */
export function refusedFields(problem: Problem): Faults {
  return faultsOf(problem, fieldOf);
}

export function fieldOf(pointer: string): "name" | "email" | "password" | null {
  const name = pointer.split(/[./]/).at(-1);
  return name === "name" || name === "email" || name === "password" ? name : null;
}

const FIELD_CODE = /^(NAME|EMAIL|PASSWORD)_(REQUIRED|INVALID|TOO_SHORT|TOO_LONG|TOO_COMMON|BREACHED)$/;

/** The problem of a form that was posted without scripts, from the code in the URL. */
export function returnedProblem(code: string): Problem {
  const [, field = "", fault = ""] = FIELD_CODE.exec(code) ?? [];
  const errors = field ? [{ field: field.toLowerCase(), code: fault, message: "" }] : [];
  return { status: 0, code: field ? "VALIDATION_FAILED" : code, detail: "", errors, retryAfterSecs: null };
}

/** Messages that every page contains for browsers without scripts. */
const ALWAYS = ["TOO_MANY_ATTEMPTS", "FAILED"];
const PASSWORD = ["PASSWORD_TOO_COMMON", "PASSWORD_BREACHED", "PASSWORD_TOO_SHORT", "PASSWORD_TOO_LONG"];
export const RETURNED_CODES: Record<Purpose, string[]> = {
  signUp: ["R100", "EMAIL_INVALID", ...PASSWORD, ...ALWAYS],
  signIn: ["INVALID_CREDENTIALS", "EMAIL_INVALID", CHALLENGE_EXPIRED, ...ALWAYS],
  email: ["R100", "EMAIL_INVALID", "LINK_EXPIRED", ...ALWAYS],
  // Shown below an address form, which contains the other messages.
  password: PASSWORD,
};
