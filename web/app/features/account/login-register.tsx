import { type ReactNode, useId, useState } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { useHydrated } from "~/lib/browser/hydrated";
import { localeOf } from "~/lib/locale";
import { TickHint } from "~/ui/consent-boxes/consent-boxes";
import { Link } from "~/ui/link/link";
import { Tabs } from "~/ui/tabs/tabs";
import { AlreadySignedIn } from "./already-signed-in";
import { AccountForm, type AccountFormProps, BOTH_CONSENTS } from "./form/account-form";
import { EMPTY_DRAFT, type Mode, requiresConsents } from "./form/validate";
import { ReferralNotice } from "./referral-notice";
import { useReturningMember } from "./returning-member";

export interface LoginRegisterProps extends Omit<AccountFormProps, "mode" | "draft" | "onDraft"> {
  initial: Mode;
  /** Social sign-in buttons; `blockedBy` is the id of the hint for unticked boxes. */
  social?: (mode: Mode, blockedBy?: string) => ReactNode;
}

/** Sign-up and sign-in in two tabs; switching keeps the typed values. */
export function LoginRegister({ initial, social, ...form }: LoginRegisterProps) {
  const t = useTexts();
  const [mode, setMode] = useState<Mode>(initial);
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const member = useReturningMember();
  const { pathname } = useLocation();
  const hintId = useId();
  const consents = requiresConsents(mode, localeOf(pathname));
  const isHydrated = useHydrated();
  const isBlocked = isHydrated && consents && !(draft.terms && draft.renewal);
  const socialButtons = social?.(mode, isBlocked ? hintId : undefined);

  if (member) return <AlreadySignedIn user={member} mode={mode} />;
  return (
    <div className="space-y-6">
      <ReferralNotice />
      <OtherModeLink mode={mode} />
      <Tabs
        label={t("auth.tabs")}
        active={mode}
        onChange={setMode}
        tabs={[
          { key: "signUp", label: t("auth.signUpTab") },
          { key: "signIn", label: t("auth.signInTab") },
        ]}
      >
        <AccountForm key={mode} mode={mode} draft={draft} onDraft={setDraft} {...form} />
        {socialButtons && (
          <div className="space-y-4 pt-6">
            <p className="flex items-center gap-4 text-sm text-muted before:h-px before:grow before:bg-hairline after:h-px after:grow after:bg-hairline">
              {t("auth.or")}
            </p>
            {socialButtons}
            {consents && (
              <TickHint id={hintId} required={BOTH_CONSENTS} agreed={{ terms: draft.terms, gdpr: draft.renewal }} />
            )}
          </div>
        )}
      </Tabs>
    </div>
  );
}

/** Tabs need scripts; without scripts each mode has its own page. */
function OtherModeLink({ mode }: { mode: Mode }) {
  const t = useTexts();
  return (
    <noscript>
      <Link
        url={mode === "signUp" ? "/signin" : "/signup"}
        className="inline-flex min-h-11 items-center font-bold text-action underline underline-offset-4"
      >
        {t(mode === "signUp" ? "auth.signInTab" : "auth.signUpTab")}
      </Link>
    </noscript>
  );
}
