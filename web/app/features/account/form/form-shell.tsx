import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { useHydrated } from "~/lib/browser/hydrated";
import { localeOf } from "~/lib/locale";
import { FormProblem, ReturnedProblems } from "./form-problem";
import type { AccountForm } from "./use-account-form";
import type { Purpose } from "./validate";

interface FormShellProps {
  form: AccountForm;
  purpose: Purpose;
  /** Target of the form without scripts; the gateway then redirects. */
  action: string;
  /** The page's own text for the problem. */
  problem?: ReactNode;
  children: ReactNode;
}

/** Works before hydration: until then the browser validates the fields, afterwards this form does, with our texts. */
export function FormShell({ form, purpose, action, problem, children }: FormShellProps) {
  const isHydrated = useHydrated();
  const lang = localeOf(useLocation().pathname);
  return (
    <form
      ref={form.element}
      method="post"
      action={action}
      noValidate={isHydrated}
      onSubmit={form.submit}
      className="space-y-5"
    >
      <input type="hidden" name="lang" value={lang} />
      <ReturnedProblems purpose={purpose} />
      {problem ?? <FormProblem form={form} />}
      {children}
    </form>
  );
}
