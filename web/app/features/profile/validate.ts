import { isEmail, isLongEnough } from "~/lib/account-fields";

export interface Draft {
  name: string;
  email: string;
  password: string;
}

export type FieldName = keyof Draft;
export type FaultCode = "required" | "invalid" | "short" | "long" | "common" | "taken";
export type Faults = Partial<Record<FieldName, FaultCode>>;

export function validate({ name, email, password }: Draft): Faults {
  const faults: Faults = {};
  if (!name.trim()) faults.name = "required";
  if (!email.trim()) faults.email = "required";
  else if (!isEmail(email)) faults.email = "invalid";
  if (!password) faults.password = "required";
  else if (!isLongEnough(password)) faults.password = "short";
  return faults;
}

/** The form's names for the fields of the call. */
const FIELDS: Record<string, FieldName> = { fullname: "name", email: "email", password: "password" };

const CODES: Record<string, FaultCode> = {
  REQUIRED: "required",
  INVALID: "invalid",
  TOO_SHORT: "short",
  TOO_LONG: "long",
  TOO_COMMON: "common",
};

interface Refusal {
  code: string;
  errors: { field: string; code: string }[];
}

/** What the server has against the fields. */
export function refusedFields({ code, errors }: Refusal): Faults {
  const faults: Faults = {};
  for (const error of errors) {
    const field = FIELDS[error.field.split(/[./]/).at(-1) ?? ""];
    if (field) faults[field] = CODES[error.code] ?? "invalid";
  }
  if (code === "R100") faults.email = "taken";
  return faults;
}
