import { emailFault, type FieldFault, nameFault, passwordFault } from "~/lib/form/account-fields";
import { present } from "~/lib/form/form-faults";
import type { Locale } from "~/lib/locale";

export type Mode = "signUp" | "signIn";

/** Purpose of a form: an account, a mailed link, or a new password. */
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

export type FaultCode = FieldFault | "different" | "consent";

export type Faults = Partial<Record<FieldName, FaultCode>>;

export interface Rules {
  purpose: Purpose;
  confirmEmail?: boolean;
  consents?: boolean;
}

/** The Russian sign-up requires two consents, also with Apple, Google and Facebook. */
export function requiresConsents(mode: Mode, locale: Locale): boolean {
  return mode === "signUp" && locale === "ru";
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
  const signingUp = purpose === "signUp";
  const isDifferent = signingUp && confirmEmail && draft.emailConfirmation.trim() !== draft.email.trim();
  const asksConsent = signingUp && consents;
  return present<FaultCode>({
    name: signingUp ? nameFault(draft.name) : undefined,
    email: purpose === "password" ? undefined : emailFault(draft.email),
    emailConfirmation: isDifferent ? "different" : undefined,
    password: purpose === "email" ? undefined : passwordFault(draft.password),
    terms: asksConsent && !draft.terms ? "consent" : undefined,
    renewal: asksConsent && !draft.renewal ? "consent" : undefined,
  });
}
