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

/** Form fields by the API's names. */
const FIELDS: Record<string, FieldName> = { fullname: "name", email: "email", password: "password" };

/** The server's faults by form field. */
export function refusedFields(refusal: Parameters<typeof faultsOf>[0]): Faults {
  return faultsOf(refusal, (pointer) => FIELDS[pointer.split(/[./]/).at(-1) ?? ""] ?? null);
}
