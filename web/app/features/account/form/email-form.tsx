import { type ReactNode, useId, useState } from "react";
import type { Problem } from "~/lib/http/request";
import { Button } from "~/ui/button/button";
import type { Send } from "../api";
import { EmailField } from "./fields";
import { FormShell } from "./form-shell";
import { refusedFields } from "./refusal";
import { useAccountForm } from "./use-account-form";
import { EMPTY_DRAFT } from "./validate";

interface EmailFormProps<Value> {
  action: string;
  send: Send<Value>;
  onDone: (value: Value) => void;
  /** The page's own text for a failure that belongs to no field. */
  failure?: (problem: Problem) => ReactNode;
  stays?: boolean;
  submitLabel: string;
  /** Further fields of the specified payload, for browsers without scripts. */
  children?: ReactNode;
}

/** An address and a button, which is disabled while the address has a fault. */
export function EmailForm<Value>({ action, submitLabel, failure, children, ...plan }: EmailFormProps<Value>) {
  const id = useId();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const form = useAccountForm({ rules: { purpose: "email" }, draft, onDraft: setDraft, ...plan });
  const isOwn = failure && form.problem && Object.keys(refusedFields(form.problem)).length === 0;
  const problem = isOwn && form.problem ? failure(form.problem) : undefined;
  return (
    <FormShell form={form} purpose="email" action={action} problem={problem}>
      {children}
      <EmailField form={form} id={id} last />
      <Button type="submit" busy={form.sending} disabled={form.faults.email !== undefined} className="w-full">
        {submitLabel}
      </Button>
    </FormShell>
  );
}
