import { useId, useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { Button } from "~/ui/button/button";
import { actions, sendNewPassword } from "../api";
import { SecretField } from "../form/fields";
import { FormShell } from "../form/form-shell";
import { useAccountForm } from "../form/use-account-form";
import { EMPTY_DRAFT } from "../form/validate";

interface NewPasswordProps {
  /** Null without scripts: the gateway reads the token from the referrer. */
  token: string | null;
  submitLabel: string | null;
  onDone: () => void;
  onExpired: () => void;
}

export function NewPassword({ token, submitLabel, onDone, onExpired }: NewPasswordProps) {
  const t = useTexts();
  const id = useId();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const form = useAccountForm({
    rules: { purpose: "password" },
    draft,
    onDraft: setDraft,
    send: sendNewPassword(token ?? ""),
    onDone,
    onProblem: ({ code }) => code === "LINK_EXPIRED" && onExpired(),
  });
  return (
    <FormShell form={form} purpose="password" action={actions.resetPassword}>
      {token && <input type="hidden" name="token" value={token} />}
      <SecretField form={form} id={id} label={t("auth.fields.newPassword")} isNew last />
      <Button type="submit" busy={form.sending} className="w-full">
        {submitLabel ?? t("auth.savePassword")}
      </Button>
    </FormShell>
  );
}
