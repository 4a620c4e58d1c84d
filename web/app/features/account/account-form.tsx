import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import { localeOf } from "~/lib/locale";
import { Button } from "~/ui/button/button";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { Field } from "~/ui/field/field";
import { PasswordField } from "~/ui/field/password-field";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import { FormProblem } from "./form-problem";
import { type AccountForm as Form, useAccountForm } from "./use-account-form";
import type { FieldName, Mode } from "./validate";

interface AccountFormProps {
  mode: Mode;
  confirmEmail: boolean;
  disabled: boolean;
  signUpLabel: string | null;
  signInLabel: string | null;
  termsHtml: string | null;
}

export function AccountForm(props: AccountFormProps) {
  const t = useTexts();
  const consents = localeOf(useLocation().pathname) === "ru";
  const form = useAccountForm({ mode: props.mode, confirmEmail: props.confirmEmail, consents });
  const signingUp = props.mode === "signUp";
  const unconsented = signingUp && consents && !(form.draft.terms && form.draft.renewal);
  const submitLabel = signingUp
    ? (props.signUpLabel ?? t("auth.createAccount"))
    : (props.signInLabel ?? t("auth.signIn"));
  return (
    // Sent before the page is alive, a password must not end up in the address bar: hence post.
    <form method="post" noValidate onSubmit={form.submit} className="space-y-5">
      <FormProblem form={form} />
      {signingUp && <NameField form={form} />}
      <EmailField form={form} />
      {signingUp && props.confirmEmail && <EmailAgainField form={form} />}
      <SecretField form={form} mode={props.mode} />
      {signingUp && consents && <Consents form={form} />}
      <Button type="submit" busy={form.sending} disabled={props.disabled || unconsented} className="w-full">
        {submitLabel}
      </Button>
      {signingUp && props.termsHtml && (
        <TrustedHtml html={props.termsHtml} className="prose text-center text-2xs text-muted" />
      )}
    </form>
  );
}

interface FormPart {
  form: Form;
}

function useFaultText(form: Form): (field: FieldName) => string | null {
  const t = useTexts();
  return (field) => {
    const code = form.faults[field];
    if (code === "invalid" && field === "email") return t("auth.faults.invalidEmail");
    return code ? t(`auth.faults.${code}`) : null;
  };
}

function NameField({ form }: FormPart) {
  const t = useTexts();
  const fault = useFaultText(form);
  return (
    <Field
      id="name"
      label={t("auth.fields.name")}
      autoComplete="name"
      dir="auto"
      value={form.draft.name}
      error={fault("name")}
      onChange={(event) => form.set({ name: event.target.value })}
      onBlur={() => form.leave("name")}
    />
  );
}

function EmailField({ form }: FormPart) {
  const t = useTexts();
  const fault = useFaultText(form);
  return (
    <Field
      id="email"
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      label={t("auth.fields.email")}
      value={form.draft.email}
      error={fault("email")}
      onChange={(event) => form.set({ email: event.target.value })}
      onBlur={() => form.leave("email")}
    />
  );
}

function EmailAgainField({ form }: FormPart) {
  const t = useTexts();
  const fault = useFaultText(form);
  return (
    <Field
      id="emailConfirmation"
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      label={t("auth.fields.emailConfirmation")}
      value={form.draft.emailConfirmation}
      error={fault("emailConfirmation")}
      onChange={(event) => form.set({ emailConfirmation: event.target.value })}
      onBlur={() => form.leave("emailConfirmation")}
    />
  );
}

function SecretField({ form, mode }: FormPart & { mode: Mode }) {
  const t = useTexts();
  const fault = useFaultText(form);
  return (
    <PasswordField
      id="password"
      label={t("auth.fields.password")}
      hint={mode === "signUp" ? t("auth.passwordHint") : undefined}
      autoComplete={mode === "signUp" ? "new-password" : "current-password"}
      dir="ltr"
      value={form.draft.password}
      error={fault("password")}
      onChange={(event) => form.set({ password: event.target.value })}
      onBlur={() => form.leave("password")}
    />
  );
}

function Consents({ form }: FormPart) {
  const t = useTexts();
  const fault = useFaultText(form);
  return (
    <div>
      <Checkbox id="terms" checked={form.draft.terms} error={fault("terms")} onChange={(terms) => form.set({ terms })}>
        {t("auth.consentTerms")}
      </Checkbox>
      <Checkbox
        id="renewal"
        checked={form.draft.renewal}
        error={fault("renewal")}
        onChange={(renewal) => form.set({ renewal })}
      >
        {t("auth.consentRenewal")}
      </Checkbox>
    </div>
  );
}
