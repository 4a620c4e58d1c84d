import { type FormEvent, useId, useRef, useState } from "react";
import type { Problem } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { Button } from "~/ui/button/button";
import { PasswordField } from "~/ui/field/password-field";
import { Notice } from "~/ui/notice/notice";
import { SplitSection } from "~/ui/split-section/split-section";
import { eraseAccount } from "../api";
import { useProblemText } from "../form-notice";

interface DeleteAccountProps {
  /** The erasure has started and the session is over. */
  onStarted: (erasureId: string) => void;
}

export function DeleteAccount({ onStarted }: DeleteAccountProps) {
  const t = useTexts();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    setOpen(true);
    dialog.current?.showModal();
  };
  return (
    <SplitSection title={t("erasure.title")} text={t("erasure.text")}>
      <Button variant="secondary" size="compact" aria-haspopup="dialog" onClick={open}>
        {t("erasure.open")}
      </Button>
      <dialog
        ref={dialog}
        aria-labelledby={id}
        onClose={() => setOpen(false)}
        className="max-h-[90dvh] w-[min(30rem,calc(100vw-2rem))] overflow-y-auto rounded-card bg-card p-6 text-start text-ink shadow-floating open:animate-enter md:p-8"
      >
        <h2 id={id} className="display text-2xl">
          {t("erasure.question")}
        </h2>
        <Consequences />
        {/* Mounted on each opening, so that no password remains. */}
        {isOpen && <Confirmation onStarted={onStarted} onCancel={() => dialog.current?.close()} />}
      </dialog>
    </SplitSection>
  );
}

function Consequences() {
  const t = useTexts();
  const lines = [t("erasure.lost"), t("erasure.subscriptions"), t("erasure.books"), t("erasure.mail")];
  return (
    <ul className="mt-4 list-disc space-y-2 ps-5 text-sm">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

interface ConfirmationProps extends DeleteAccountProps {
  onCancel: () => void;
}

function Confirmation({ onStarted, onCancel }: ConfirmationProps) {
  const t = useTexts();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const isWrong = problem?.code === "WRONG_PASSWORD";

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const answer = await eraseAccount(password);
    setBusy(false);
    if (answer.ok) return onStarted(answer.value.erasure_id);
    setProblem(answer.problem);
    if (answer.problem.code === "WRONG_PASSWORD") document.getElementById("erasure-password")?.focus();
  };

  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="mt-6 space-y-5">
      {problem && !isWrong && <Refusal problem={problem} />}
      <PasswordField
        id="erasure-password"
        name="password"
        label={t("erasure.password")}
        hint={t("erasure.passwordHint")}
        autoComplete="current-password"
        dir="ltr"
        value={password}
        error={isWrong ? t("erasure.wrongPassword") : null}
        onChange={(event) => {
          setPassword(event.target.value);
          setProblem(null);
        }}
      />
      <div className="grid gap-3">
        <Button type="submit" variant="danger" busy={busy}>
          {t("erasure.confirm")}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t("erasure.keep")}
        </Button>
      </div>
    </form>
  );
}

function Refusal({ problem }: { problem: Problem }) {
  const message = useProblemText();
  return (
    <Notice tone="danger">
      <p>{message(problem)}</p>
    </Notice>
  );
}
