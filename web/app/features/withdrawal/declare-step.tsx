import { useEffect, useRef } from "react";
import { faultKey } from "~/lib/form/account-fields";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import "~/lib/i18n/withdrawal";
import { Button } from "~/ui/button/button";
import { Field } from "~/ui/field/field";
import type { FieldName } from "./draft";
import type { Withdrawal } from "./use-withdrawal";

interface DeclareStepProps {
  withdrawal: Withdrawal;
  /** The buyer came back to correct something. */
  again: boolean;
}

/** The first step: the buyer, and an optional reference. */
export function DeclareStep({ withdrawal, again }: DeclareStepProps) {
  const t = useTexts();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!again) return;
    const faulty = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    (faulty ?? form.current?.querySelector("input"))?.focus();
  }, [again]);

  const field = (name: FieldName) => {
    const code = withdrawal.faults[name];
    return {
      id: `withdrawal-${name}`,
      name,
      value: withdrawal.draft[name],
      error: code ? t(faultKey(name, code)) : null,
      onChange: (event: { target: { value: string } }) => withdrawal.set(name, event.target.value),
      onBlur: () => withdrawal.leave(name),
    };
  };

  return (
    <form ref={form} noValidate onSubmit={withdrawal.review} className="mt-6 space-y-5">
      <Field {...field("name")} label={t("auth.fields.name")} autoComplete="name" dir="auto" required />
      <Field
        {...field("email")}
        label={t("auth.fields.email")}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        required
      />
      <Field
        {...field("reference")}
        label={t("withdrawal.reference")}
        hint={t("withdrawal.referenceHint")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        maxLength={200}
      />
      <Button type="submit" className="max-xs:w-full">
        {t("withdrawal.start")}
      </Button>
    </form>
  );
}
