import { isEmail, isLongEnough } from "~/lib/account-fields";

export type Mode = "signUp" | "signIn";

/** What a form is for: an account, a mail, or a new password. */
export type Purpose = Mode | "email" | "password";

export interface Draft {
  name: string;
  email: string;
  emailConfirmation: string;
  password: string;
  /** Consents of the Russian sign-up. */
  terms: boolean;
  renewal: boolean;
}

export type FieldName = keyof Draft;

export type FaultCode = "required" | "invalid" | "different" | "short" | "long" | "common" | "taken" | "consent";

export type Faults = Partial<Record<FieldName, FaultCode>>;

export interface Rules {
  purpose: Purpose;
  confirmEmail?: boolean;
  consents?: boolean;
}

export const EMPTY_DRAFT: Draft = {
  name: "",
  email: "",
  emailConfirmation: "",
  password: "",
  terms: false,
  renewal: false,
};

export function validate(draft: Draft, { purpose, confirmEmail, consents }: Rules): Faults {
  const faults: Faults = {};
  const signingUp = purpose === "signUp";
  if (signingUp && !draft.name.trim()) faults.name = "required";
  if (purpose !== "password") {
    if (!draft.email.trim()) faults.email = "required";
    else if (!isEmail(draft.email)) faults.email = "invalid";
  }
  if (signingUp && confirmEmail && draft.emailConfirmation.trim() !== draft.email.trim()) {
    faults.emailConfirmation = "different";
  }
  if (purpose !== "email") {
    if (!draft.password) faults.password = "required";
    else if (!isLongEnough(draft.password)) faults.password = "short";
  }
  if (signingUp && consents) {
    if (!draft.terms) faults.terms = "consent";
    if (!draft.renewal) faults.renewal = "consent";
  }
  return faults;
}
