/** Client-side rules of account fields, and the server's faults. The server decides. */
import type { TextKey } from "../i18n";

export type FieldFault = "required" | "invalid" | "short" | "long" | "common" | "breached" | "taken";

export const PASSWORD_MIN = 6;

/** Deliberately lenient: only a mail proves an address. */
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

export function isEmail(text: string): boolean {
  return EMAIL.test(text.trim());
}

/** Counts code points, not UTF-16 units. */
export function isLongEnough(password: string): boolean {
  return [...password].length >= PASSWORD_MIN;
}

export function nameFault(name: string): FieldFault | undefined {
  return name.trim() ? undefined : "required";
}

export function emailFault(email: string): FieldFault | undefined {
  if (!email.trim()) return "required";
  return isEmail(email) ? undefined : "invalid";
}

export function passwordFault(password: string): FieldFault | undefined {
  if (!password) return "required";
  return isLongEnough(password) ? undefined : "short";
}

const CODES: Record<string, FieldFault> = {
  REQUIRED: "required",
  INVALID: "invalid",
  TOO_SHORT: "short",
  TOO_LONG: "long",
  TOO_COMMON: "common",
  PASSWORD_BREACHED: "breached",
  // In the URL of a form posted without scripts, behind its field.
  BREACHED: "breached",
};

interface Refusal {
  code: string;
  errors: { field: string; code: string }[];
}

/** The server's faults by form field. `fieldOf` maps a field of the API to a field of the form. */
export function faultsOf<Field extends string>({ code, errors }: Refusal, fieldOf: (pointer: string) => Field | null) {
  const faults: Partial<Record<Field | "email", FieldFault>> = {};
  for (const error of errors) {
    const field = fieldOf(error.field);
    if (field) faults[field] = CODES[error.code] ?? "invalid";
  }
  if (code === "R100") faults.email = "taken";
  return faults;
}

export function faultKey(field: string, code: FieldFault | "different" | "consent"): TextKey {
  return code === "invalid" && field === "email" ? "auth.faults.invalidEmail" : `auth.faults.${code}`;
}
