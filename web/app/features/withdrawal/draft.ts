/** The declaration's fields and faults. Only name and address are required. */
import { emailFault, type FieldFault, faultsOf, nameFault } from "~/lib/form/account-fields";
import { present } from "~/lib/form/form-faults";

export interface Draft {
  name: string;
  email: string;
  /** Of an order, a subscription or a receipt; optional. */
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

/** Form fields by the API's names. */
const FIELDS: Record<string, FieldName> = { full_name: "name", email: "email", reference: "reference" };

/** The server's faults by form field. */
export function refusedFields(refusal: Parameters<typeof faultsOf>[0]): Faults {
  return faultsOf(refusal, (pointer) => FIELDS[pointer.split(/[./]/).at(-1) ?? ""] ?? null);
}
