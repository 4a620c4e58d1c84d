/** What a buyer declares, and what is wrong with it. Nothing is asked that a withdrawal does not need. */
import { emailFault, type FieldFault, faultsOf, nameFault } from "~/lib/form/account-fields";
import { present } from "~/lib/form/form-faults";

export interface Draft {
  name: string;
  email: string;
  /** Of an order, a subscription or a receipt; may stay empty. */
  reference: string;
}

export type FieldName = keyof Draft;
export type Faults = Partial<Record<FieldName, FieldFault>>;

export const FIELD_NAMES: readonly FieldName[] = ["name", "email", "reference"];

export function trimmed({ name, email, reference }: Draft): Draft {
  return { name: name.trim(), email: email.trim(), reference: reference.trim() };
}

export function validate({ name, email }: Draft): Faults {
  return present({ name: nameFault(name), email: emailFault(email) });
}

/** The form's names for the fields of the call. */
const FIELDS: Record<string, FieldName> = { full_name: "name", email: "email", reference: "reference" };

/** What the server has against the fields. */
export function refusedFields(refusal: Parameters<typeof faultsOf>[0]): Faults {
  return faultsOf(refusal, (pointer) => FIELDS[pointer.split(/[./]/).at(-1) ?? ""] ?? null);
}
