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
  /** Where the browser itself sends it while there are no scripts; the gateway then leads on. */
  action: string;
  /** What went wrong, where the page says it in words of its own. */
  problem?: ReactNode;
  children: ReactNode;
}

/** A form that works before the page is alive: until then the browser judges the boxes, afterwards we do, in our words. */
export function FormShell({ form, purpose, action, problem, children }: FormShellProps) {
  const alive = useHydrated();
  const lang = localeOf(useLocation().pathname);
  return (
    <form
      ref={form.element}
      method="post"
      action={action}
      noValidate={alive}
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
