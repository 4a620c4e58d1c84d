import { useEffect, useId, useRef } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { Button } from "~/ui/button/button";
import { CodeField } from "~/ui/field/code-field";
import { Field } from "~/ui/field/field";
import { Notice } from "~/ui/notice/notice";
import { actions, type SignedInBody } from "../api";
import { useSecondStepForm } from "./use-second-step-form";

export interface SecondStepProps {
  challenge: string;
  /** A code posted before hydration was wrong. */
  isWrong?: boolean;
  onSignedIn: (answer: SignedInBody) => void;
  /** The sign-in must start again. */
  onExpired: () => void;
  onBack: () => void;
}

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function SecondStep({ onBack, ...plan }: SecondStepProps) {
  const t = useTexts();
  const id = useId();
  const form = useSecondStepForm(plan);
  const { kind } = form;
  const element = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each kind has its own field.
  useEffect(() => element.current?.querySelector<HTMLElement>("input:not([type=hidden])")?.focus(), [kind]);
  const field = {
    id: `${id}-code`,
    name: "code",
    value: form.code,
    error: form.fault,
    onChange: (event: { target: { value: string } }) => form.set(event.target.value),
  };
  return (
    <section aria-labelledby={`${id}-title`} className="animate-enter space-y-5">
      <h2 id={`${id}-title`} className="display text-2xl">
        {t("secondFactor.title")}
      </h2>
      {form.message && (
        <Notice tone="danger">
          <p>{form.message}</p>
        </Notice>
      )}
      <form
        ref={element}
        method="post"
        action={actions.secondStep}
        noValidate
        onSubmit={form.submit}
        className="space-y-5"
      >
        <input type="hidden" name="challenge" value={plan.challenge} />
        {kind === "app" ? (
          <CodeField {...field} label={t("secondFactor.code")} hint={t("secondFactor.codeHint")} />
        ) : (
          <Field
            {...field}
            label={t("secondFactor.recoveryCode")}
            hint={t("secondFactor.recoveryHint")}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="go"
            dir="ltr"
            required
          />
        )}
        <Button type="submit" busy={form.sending} className="w-full">
          {t("auth.signIn")}
        </Button>
      </form>
      <div className="grid gap-1">
        <Button variant="quiet" size="compact" onClick={form.switchKind}>
          {t(kind === "app" ? "secondFactor.useRecovery" : "secondFactor.useApp")}
        </Button>
        <Button variant="quiet" size="compact" onClick={onBack}>
          {t("secondFactor.back")}
        </Button>
      </div>
    </section>
  );
}
