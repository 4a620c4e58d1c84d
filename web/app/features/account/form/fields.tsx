import { faultKey, PASSWORD_MIN } from "~/lib/form/account-fields";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { useHydrated } from "~/lib/browser/hydrated";
import { Checkbox } from "~/ui/checkbox/checkbox";
import { Field } from "~/ui/field/field";
import { PasswordField } from "~/ui/field/password-field";
import type { AccountForm } from "./use-account-form";
import type { FieldName } from "./validate";

interface FieldContext {
  form: AccountForm;
  /** Unique among the forms of the page. */
  id: string;
  /** The last field before the button: a phone's keyboard shows "go". */
  last?: boolean;
}

type TextName = "name" | "email" | "emailConfirmation" | "password";

/** Common props of all fields. */
function useFieldProps({ form, id, last }: FieldContext, field: TextName) {
  const t = useTexts();
  const isHydrated = useHydrated();
  const label = t(`auth.fields.${field}`);
  return {
    id: `${id}-${field}`,
    name: field,
    label,
    required: true,
    value: form.draft[field],
    error: useFault(form, field),
    enterKeyHint: last ? ("go" as const) : ("next" as const),
    clear: isHydrated
      ? { label: t("auth.clear", { field: label }), onClear: () => form.set({ [field]: "" }) }
      : undefined,
    onChange: (event: { target: { value: string } }) => form.set({ [field]: event.target.value }),
    onBlur: () => form.leave(field),
  };
}

function useFault(form: AccountForm, field: FieldName): string | null {
  const t = useTexts();
  const code = form.faults[field];
  return code ? t(faultKey(field, code)) : null;
}

export function NameField(part: FieldContext) {
  return <Field {...useFieldProps(part, "name")} autoComplete="name" dir="auto" />;
}

const ADDRESS = {
  type: "email",
  inputMode: "email",
  autoComplete: "email",
  autoCapitalize: "none",
  spellCheck: false,
  dir: "ltr",
} as const;

export function EmailField(part: FieldContext) {
  return <Field {...useFieldProps(part, "email")} {...ADDRESS} />;
}

/** The repeated address; pasting is allowed unless the page forbids it. */
export function EmailAgainField({ typedOnly, ...part }: FieldContext & { typedOnly: boolean }) {
  return <Field {...useFieldProps(part, "emailConfirmation")} {...ADDRESS} typedOnly={typedOnly} />;
}

export function SecretField({ isNew, label, ...part }: FieldContext & { isNew: boolean; label?: string }) {
  const t = useTexts();
  const { clear, ...box } = useFieldProps(part, "password");
  return (
    <PasswordField
      {...box}
      label={label ?? box.label}
      hint={isNew ? t("auth.passwordHint") : undefined}
      minLength={PASSWORD_MIN}
      autoComplete={isNew ? "new-password" : "current-password"}
      dir="ltr"
    />
  );
}

export function Consents({ form, id }: FieldContext) {
  const t = useTexts();
  const terms = useFault(form, "terms");
  const renewal = useFault(form, "renewal");
  return (
    <div>
      <Checkbox
        id={`${id}-terms`}
        name="terms"
        required
        checked={form.draft.terms}
        error={terms}
        onChange={(value) => form.set({ terms: value })}
      >
        {t("auth.consentTerms")}
      </Checkbox>
      <Checkbox
        id={`${id}-renewal`}
        name="renewal"
        required
        checked={form.draft.renewal}
        error={renewal}
        onChange={(value) => form.set({ renewal: value })}
      >
        {t("auth.consentRenewal")}
      </Checkbox>
    </div>
  );
}
