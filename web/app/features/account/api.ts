import { knownCountry } from "~/lib/country";
import { type Answer, postJson } from "~/lib/http/request";
import type { User } from "~/lib/session";
import type { Draft, FieldName, Mode } from "./validate";

interface UserBody {
  user: User;
}

export interface Submission {
  mode: Mode;
  draft: Draft;
  lang: string;
  orderId: string | null;
}

export function submitAccount({ mode, draft, lang, orderId }: Submission): Promise<Answer<UserBody>> {
  const credentials = { email: draft.email.trim(), password: draft.password };
  if (mode === "signIn") return postJson("/api/auth/login", { body: credentials });
  const person = { name: draft.name.trim(), lang, country: knownCountry() };
  return postJson("/api/auth/register", {
    body: { ...person, ...credentials, ...(orderId ? { orderid: orderId } : {}) },
  });
}

/** The form's name for a field the gateway complains about. */
export function fieldOf(pointer: string): FieldName | null {
  const name = pointer.split(/[./]/).at(-1);
  return name === "name" || name === "email" || name === "password" ? name : null;
}
