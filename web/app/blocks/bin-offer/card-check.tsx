import { type SyntheticEvent, useId } from "react";
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import { type TextKey, useTexts } from "~/lib/i18n";
import { Button } from "~/ui/button/button";
import { Field } from "~/ui/field/field";
import { Notice } from "~/ui/notice/notice";
import type { BinCheck } from "./use-bin-check";

interface CardCheckProps {
  check: BinCheck;
  label: string;
  hint: string | null;
  submitLabel: string;
}

export function CardCheck({ check, label, hint, submitLabel }: CardCheckProps) {
  const t = useTexts();
  const id = useId();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    void check.ask();
  };
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <Field
        id={id}
        // Without an action or field name: a form without scripts would put the digits into a URL.
        name=""
        label={label}
        {...(hint && { hint })}
        value={check.digits}
        onChange={(event) => check.type(event.target.value)}
        inputMode="numeric"
        autoComplete="off"
        dir="ltr"
      />
      <Button
        type="submit"
        // The primary button is then below.
        variant={check.status === "eligible" ? "secondary" : "primary"}
        busy={check.status === "checking"}
        className="w-full"
      >
        {submitLabel}
      </Button>
      {check.problem && <Notice tone="danger">{t(messageKey(check.problem))}</Notice>}
    </form>
  );
}

function messageKey({ code, status }: Problem): TextKey {
  if (code === NETWORK_FAILURE) return "errors.network";
  return status === 429 ? "errors.tooMany" : "errors.generic";
}
