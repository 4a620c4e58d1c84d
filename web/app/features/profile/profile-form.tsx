import { faultKey } from "~/lib/form/account-fields";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import type { User } from "~/lib/session/session";
import { Button } from "~/ui/button/button";
import { Field } from "~/ui/field/field";
import { PasswordField } from "~/ui/field/password-field";
import { Notice } from "~/ui/notice/notice";
import { FormNotice } from "./form-notice";
import { type ProfileForm as Form, useProfileForm } from "./use-profile-form";
import type { FieldName } from "./validate";

interface ProfileFormProps {
  user: User;
  submitLabel: string | null;
  successMessage: string | null;
  onSuccess: () => void;
}

export function ProfileForm({ user, submitLabel, successMessage, onSuccess }: ProfileFormProps) {
  const t = useTexts();
  const form = useProfileForm(user, onSuccess);
  return (
    <form method="post" noValidate onSubmit={form.submit} className="space-y-5">
      {form.step === "saved" ? (
        <Notice tone="success">
          <p>{successMessage ?? t("profile.saved")}</p>
          {form.pendingEmail && <p>{t("profile.emailPending", { email: form.pendingEmail })}</p>}
        </Notice>
      ) : (
        <FormNotice form={form} />
      )}
      <NameField form={form} />
      <EmailField form={form} />
      <NewPasswordField form={form} />
      <Button type="submit" busy={form.step === "sending"} className="w-full">
        {submitLabel ?? t("profile.save")}
      </Button>
    </form>
  );
}

interface FormPart {
  form: Form;
}

function useField({ draft, faults, set, leave }: Form, field: FieldName) {
  const t = useTexts();
  const code = faults[field];
  return {
    id: `profile-${field}`,
    name: field,
    label: t(`auth.fields.${field}`),
    value: draft[field],
    error: code ? t(faultKey(field, code)) : null,
    onChange: (event: { target: { value: string } }) => set({ [field]: event.target.value }),
    onBlur: () => leave(field),
  };
}

function NameField({ form }: FormPart) {
  return <Field {...useField(form, "name")} autoComplete="name" dir="auto" required />;
}

function EmailField({ form }: FormPart) {
  return (
    <Field
      {...useField(form, "email")}
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      required
    />
  );
}

function NewPasswordField({ form }: FormPart) {
  const t = useTexts();
  return (
    <PasswordField
      {...useField(form, "password")}
      hint={t("profile.passwordHint")}
      autoComplete="new-password"
      dir="ltr"
      required
    />
  );
}
