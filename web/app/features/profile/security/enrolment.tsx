import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { isWrongCode, plainCode } from "~/lib/form/code";
import type { Problem } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { Button } from "~/ui/button/button";
import { CopyButton } from "~/ui/copy-button/copy-button";
import { CodeField } from "~/ui/field/code-field";
import { Notice } from "~/ui/notice/notice";
import type { QrDrawing } from "~/ui/qr/draw-qr";
import { QrCode } from "~/ui/qr/qr-code";
import { useProblemText } from "../form-notice";
import { confirmEnrolment, type Enrolment as EnrolmentData, type RecoveryCodes } from "./api";

interface EnrolmentProps {
  enrolment: EnrolmentData;
  onConfirmed: (codes: RecoveryCodes) => void;
  onCancel: () => void;
}

/** The key for the authenticator app, as a picture and as text, and the form for its first code. */
export function Enrolment({ enrolment, onConfirmed, onCancel }: EnrolmentProps) {
  const t = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  const drawing = useQr(enrolment.uri);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="animate-enter space-y-5 rounded-card bg-card p-5 shadow-raised md:p-8">
      <h3 ref={heading} tabIndex={-1} className="display text-xl outline-none">
        {t("security.enrolTitle")}
      </h3>
      <p className="text-muted">{t("security.scan")}</p>
      <div className="grid size-54 place-items-center rounded-field bg-white p-2">
        {drawing && <QrCode drawing={drawing} label={t("security.qr")} />}
      </div>
      <div className="space-y-2">
        <p className="text-sm text-muted">{t("security.typeKey")}</p>
        <p className="flex flex-wrap items-center gap-3">
          <bdi dir="ltr" className="tabular-nums tracking-wide font-semibold">
            {inGroups(enrolment.secret)}
          </bdi>
          <CopyButton text={enrolment.secret} label={t("security.copyKey")} copiedLabel={t("security.copied")} />
        </p>
      </div>
      <ConfirmForm onConfirmed={onConfirmed} onCancel={onCancel} />
    </div>
  );
}

/** Null until the encoder has loaded; the key as text is enough without it. */
function useQr(uri: string): QrDrawing | null {
  const [drawing, setDrawing] = useState<QrDrawing | null>(null);
  useEffect(() => {
    let isCurrent = true;
    import("~/ui/qr/draw-qr").then(
      ({ drawQr }) => isCurrent && setDrawing(drawQr(uri)),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [uri]);
  return drawing;
}

/** Four characters at a time can be typed off. */
function inGroups(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(" ") ?? secret;
}

type ConfirmFormProps = Omit<EnrolmentProps, "enrolment">;

function ConfirmForm({ onConfirmed, onCancel }: ConfirmFormProps) {
  const t = useTexts();
  const id = useId();
  const message = useProblemText();
  const [code, setCode] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sending, setSending] = useState(false);

  const refuse = (text: string) => {
    setFault(text);
    document.getElementById(id)?.focus();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    if (!plainCode(code)) return refuse(t("auth.faults.required"));
    setSending(true);
    setProblem(null);
    const answer = await confirmEnrolment(plainCode(code));
    setSending(false);
    if (answer.ok) return onConfirmed(answer.value);
    if (isWrongCode(answer.problem)) return refuse(t("secondFactor.wrong"));
    setProblem(answer.problem);
  };

  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="space-y-5">
      {problem && (
        <Notice tone="danger">
          <p>{message(problem)}</p>
        </Notice>
      )}
      <CodeField
        id={id}
        label={t("secondFactor.code")}
        hint={t("secondFactor.codeHint")}
        value={code}
        error={fault}
        onChange={(event) => {
          setCode(event.target.value);
          setFault(null);
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="compact" busy={sending}>
          {t("security.confirm")}
        </Button>
        <Button variant="quiet" size="compact" onClick={onCancel}>
          {t("profile.cancel")}
        </Button>
      </div>
    </form>
  );
}
