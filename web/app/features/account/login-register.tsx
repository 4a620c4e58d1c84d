import { type ReactNode, useId, useState } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { useHydrated } from "~/lib/browser/hydrated";
import { localeOf } from "~/lib/locale";
import { TickHint } from "~/ui/consent-boxes/consent-boxes";
import { Link } from "~/ui/link/link";
import { Tabs } from "~/ui/tabs/tabs";
import { useAfterSignIn } from "./after-sign-in";
import { AlreadySignedIn } from "./already-signed-in";
import { AccountForm, type AccountFormProps, BOTH_CONSENTS } from "./form/account-form";
import { type Draft, EMPTY_DRAFT, type Mode, requiresConsents } from "./form/validate";
import { ReferralNotice } from "./referral-notice";
import { useReturningMember } from "./returning-member";
import { ChallengeExpired } from "./second-step/challenge-expired";
import { ReturnedSecondStep } from "./second-step/returned-second-step";
import { SecondStep } from "./second-step/second-step";
import { type SecondStepControl, useSecondStep } from "./second-step/use-second-step";

export interface SocialContext {
  mode: Mode;
  /** Id of the hint for unticked boxes. */
  blockedBy: string | undefined;
  /** The account has a second factor. */
  onSecondStep: (challenge: string) => void;
}

export interface LoginRegisterProps extends Omit<AccountFormProps, "mode" | "draft" | "onDraft" | "onSecondStep"> {
  initial: Mode;
  /** Social sign-in buttons. */
  social?: (context: SocialContext) => ReactNode;
}

/** Sign-up and sign-in, then the second step of accounts that have one. */
export function LoginRegister(props: LoginRegisterProps) {
  const [mode, setMode] = useState<Mode>(props.initial);
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const member = useReturningMember();
  const step = useSecondStep();
  const afterSignIn = useAfterSignIn();
  if (member) return <AlreadySignedIn user={member} mode={mode} />;
  if (step.challenge) {
    return (
      <SecondStep
        challenge={step.challenge}
        isWrong={step.isWrong}
        onSignedIn={(answer) => afterSignIn({ ...answer, kind: "signIn" })}
        onExpired={step.expire}
        onBack={step.leave}
      />
    );
  }
  return <FirstStep {...props} mode={mode} onMode={setMode} draft={draft} onDraft={setDraft} step={step} />;
}

interface FirstStepProps extends LoginRegisterProps {
  mode: Mode;
  onMode: (mode: Mode) => void;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  step: SecondStepControl;
}

/** Two tabs; switching keeps the typed values. */
function FirstStep({ initial, social, mode, onMode, step, ...form }: FirstStepProps) {
  const t = useTexts();
  const { draft } = form;
  const { pathname } = useLocation();
  const hintId = useId();
  const consents = requiresConsents(mode, localeOf(pathname));
  const isHydrated = useHydrated();
  const isBlocked = isHydrated && consents && !(draft.terms && draft.renewal);
  const onSecondStep = step.begin;
  const socialButtons = social?.({ mode, blockedBy: isBlocked ? hintId : undefined, onSecondStep });

  return (
    <div>
      {initial === "signIn" && <ReturnedSecondStep />}
      <div className="space-y-6 peer-has-[:target]:hidden">
        {step.hasExpired && <ChallengeExpired />}
        <ReferralNotice />
        <OtherModeLink mode={mode} />
        <Tabs
          label={t("auth.tabs")}
          active={mode}
          onChange={onMode}
          tabs={[
            { key: "signUp", label: t("auth.signUpTab") },
            { key: "signIn", label: t("auth.signInTab") },
          ]}
        >
          <AccountForm key={mode} mode={mode} onSecondStep={onSecondStep} {...form} />
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
