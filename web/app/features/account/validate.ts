export type Mode = "signUp" | "signIn";

export interface Draft {
  name: string;
  email: string;
  emailConfirmation: string;
  password: string;
  /** Consents of the Russian sign-up. */
  terms: boolean;
  renewal: boolean;
}

export type FieldName = "name" | "email" | "emailConfirmation" | "password" | "terms" | "renewal";

export type FaultCode = "required" | "invalid" | "different" | "short" | "long" | "common" | "taken" | "consent";

export type Faults = Partial<Record<FieldName, FaultCode>>;

export interface Rules {
  mode: Mode;
  confirmEmail: boolean;
  consents: boolean;
}

export const PASSWORD_MIN = 6;

export const EMPTY_DRAFT: Draft = {
  name: "",
  email: "",
  emailConfirmation: "",
  password: "",
  terms: false,
  renewal: false,
};

/** As lenient as an address can be judged without sending to it; the server decides. */
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

export function validate(draft: Draft, rules: Rules): Faults {
  const faults: Faults = {};
  const signingUp = rules.mode === "signUp";
  if (signingUp && !draft.name.trim()) faults.name = "required";
  if (!draft.email.trim()) faults.email = "required";
  else if (!EMAIL.test(draft.email.trim())) faults.email = "invalid";
  if (signingUp && rules.confirmEmail && draft.emailConfirmation.trim() !== draft.email.trim()) {
    faults.emailConfirmation = "different";
  }
  if (!draft.password) faults.password = "required";
  else if ([...draft.password].length < PASSWORD_MIN) faults.password = "short";
  if (signingUp && rules.consents) {
    if (!draft.terms) faults.terms = "consent";
    if (!draft.renewal) faults.renewal = "consent";
  }
  return faults;
}
