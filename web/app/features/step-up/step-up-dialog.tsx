import { useEffect, useId, useRef } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { signInUrl } from "~/lib/links/sign-up-url";
import { currentUser, signOut } from "~/lib/session/session";
import { Button } from "~/ui/button/button";
import { CodeField } from "~/ui/field/code-field";
import { PasswordField } from "~/ui/field/password-field";
import { Notice } from "~/ui/notice/notice";
import type { StepUpDialogProps } from "./step-up";
import { useProof } from "./use-proof";

/** The dialog's value after an accepted proof; any other way to close it is a refusal. */
const PROVEN = "proven";

export function StepUpDialog({ request }: StepUpDialogProps) {
  const t = useTexts();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const signsIn = request.methods.includes("sign_in");
  useEffect(() => dialog.current?.showModal(), []);
  const close = (value?: string) => dialog.current?.close(value);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onClose={(event) => request.settle(event.currentTarget.returnValue === PROVEN)}
      className="max-h-[90dvh] w-[min(28rem,calc(100vw-2rem))] overflow-y-auto rounded-card bg-card p-6 text-start text-ink shadow-floating open:animate-enter md:p-8"
    >
      <h2 id={`${id}-title`} className="display text-2xl">
        {t("stepUp.title")}
      </h2>
      <p id={`${id}-text`} className="mt-2 text-muted">
        {t(signsIn ? "stepUp.signInText" : "stepUp.text")}
      </p>
      {signsIn ? (
        <SignInAgain onCancel={close} />
      ) : (
        <ProofForm needsCode={request.methods.includes("code")} onProven={() => close(PROVEN)} onCancel={close} />
      )}
    </dialog>
  );
}

interface ProofFormProps {
  needsCode: boolean;
  onProven: () => void;
  onCancel: () => void;
}

function ProofForm({ needsCode, onProven, onCancel }: ProofFormProps) {
  const t = useTexts();
  const proof = useProof({ needsCode, onProven, onCancel });
  return (
    <form method="post" noValidate onSubmit={proof.submit} className="mt-6 space-y-5">
      {proof.message && (
        <Notice tone="danger">
          <p>{proof.message}</p>
        </Notice>
      )}
      {/* Password managers choose the entry by the address. */}
      <input type="email" name="email" autoComplete="username" hidden readOnly value={currentUser()?.email ?? ""} />
      <PasswordField
        id="step-up-password"
        name="password"
        label={t("erasure.password")}
        autoComplete="current-password"
        autoFocus
        dir="ltr"
        required
        enterKeyHint={needsCode ? "next" : "go"}
        value={proof.password}
        error={proof.faults.password ?? null}
        onChange={(event) => proof.set({ password: event.target.value })}
      />
      {needsCode && (
        <CodeField
          id="step-up-code"
          label={t("secondFactor.anyCode")}
          inputMode="text"
          value={proof.code}
          error={proof.faults.code ?? null}
          onChange={(event) => proof.set({ code: event.target.value })}
        />
      )}
      <div className="grid gap-3">
        <Button type="submit" busy={proof.sending}>
          {t("stepUp.confirm")}
        </Button>
        <Button variant="quiet" onClick={() => onCancel()}>
          {t("profile.cancel")}
        </Button>
      </div>
    </form>
  );
}

/** Members without a password prove themselves by a new sign-in, which returns to this page. */
function SignInAgain({ onCancel }: { onCancel: () => void }) {
  const t = useTexts();
  const { pathname } = useLocation();
  const signInAgain = async () => {
    await signOut();
    location.assign(signInUrl(pathname));
  };
  return (
    <div className="mt-6 grid gap-3">
      <Button onClick={() => void signInAgain()}>{t("stepUp.signInAction")}</Button>
      <Button variant="quiet" onClick={() => onCancel()}>
        {t("profile.cancel")}
      </Button>
    </div>
  );
}
