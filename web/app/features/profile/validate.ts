import { emailFault, type FieldFault, faultsOf, nameFault, passwordFault } from "~/lib/form/account-fields";
import { present } from "~/lib/form/form-faults";

export interface Draft {
  name: string;
  email: string;
  password: string;
}

export type FieldName = keyof Draft;
export type Faults = Partial<Record<FieldName, FieldFault>>;

export function validate({ name, email, password }: Draft): Faults {
  return present({ name: nameFault(name), email: emailFault(email), password: passwordFault(password) });
}

/** The form's names for the fields of the call. */
const FIELDS: Record<string, FieldName> = { fullname: "name", email: "email", password: "password" };

/** What the server has against the fields. */
export function refusedFields(refusal: Parameters<typeof faultsOf>[0]): Faults {
  return faultsOf(refusal, (pointer) => FIELDS[pointer.split(/[./]/).at(-1) ?? ""] ?? null);
}
