import { useId } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { useHydrated } from "~/lib/browser/hydrated";
import { localeOf } from "~/lib/locale";
import { Button } from "~/ui/button/button";
import { TickHint } from "~/ui/consent-boxes/consent-boxes";
import { Link } from "~/ui/link/link";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import { useAfterSignIn } from "../after-sign-in";
import { actions, sendAccount } from "../api";
import { Consents, EmailAgainField, EmailField, NameField, SecretField } from "./fields";
import { FormShell } from "./form-shell";
import { useAccountForm } from "./use-account-form";
import { type Draft, type Mode, requiresConsents } from "./validate";

export interface AccountFormProps {
  mode: Mode;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  /** The account has a second factor. */
  onSecondStep: (challenge: string) => void;
  confirmEmail: boolean;
  /** The repeated address must be typed, not pasted. */
  blockPaste: boolean;
  disabled: boolean;
  signUpLabel: string | null;
  signInLabel: string | null;
  termsHtml: string | null;
}

export function AccountForm(props: AccountFormProps) {
  const { mode, draft, onDraft, onSecondStep, confirmEmail, blockPaste, disabled, ...texts } = props;
  const t = useTexts();
  const id = useId();
  const isHydrated = useHydrated();
  const { pathname, search } = useLocation();
  const afterSignIn = useAfterSignIn();
  const locale = localeOf(pathname);
  const signingUp = mode === "signUp";
  const consents = requiresConsents(mode, locale);
  const form = useAccountForm({
    rules: { purpose: mode, confirmEmail, consents },
    draft,
    onDraft,
    send: sendAccount(mode, { locale, query: new URLSearchParams(search) }),
    onDone: (answer) => afterSignIn({ ...answer, kind: mode }),
    onProblem: ({ challenge }) => challenge && onSecondStep(challenge),
  });
  const lacksConsent = isHydrated && consents && !(draft.terms && draft.renewal);
  const part = { form, id };
  return (
    <FormShell form={form} purpose={mode} action={actions[mode]}>
      {signingUp && <NameField {...part} />}
      <EmailField {...part} />
      {signingUp && confirmEmail && <EmailAgainField {...part} typedOnly={blockPaste} />}
      <SecretField {...part} isNew={signingUp} last />
      {!signingUp && <ForgotLink />}
      {consents && <Consents {...part} />}
      <div>
        <Button
          // A disabled form has no submit button, so it sends nothing without scripts either.
          type={disabled ? "button" : "submit"}
          busy={form.sending}
          disabled={disabled || lacksConsent}
          aria-describedby={lacksConsent ? `${id}-why` : undefined}
          className="w-full"
        >
          {signingUp ? (texts.signUpLabel ?? t("auth.createAccount")) : (texts.signInLabel ?? t("auth.signIn"))}
        </Button>
        {consents && (
          <TickHint id={`${id}-why`} required={BOTH_CONSENTS} agreed={{ terms: draft.terms, gdpr: draft.renewal }} />
        )}
      </div>
      {signingUp && texts.termsHtml && (
        <TrustedHtml html={texts.termsHtml} className="prose text-center text-2xs text-muted" />
      )}
    </FormShell>
  );
}

export const BOTH_CONSENTS = { terms: true, gdpr: true };

function ForgotLink() {
  const t = useTexts();
  return (
    <p className="-mt-3 text-end">
      <Link
        url="/forgot-password"
        className="inline-flex min-h-11 items-center text-sm font-semibold text-action underline-offset-4 hover:underline"
      >
        {t("auth.forgotPassword")}
      </Link>
    </p>
  );
}
