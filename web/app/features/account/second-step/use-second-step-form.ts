import { type FormEvent, useRef, useState } from "react";
import { useLocation } from "react-router";
import { isWrongCode, plainCode } from "~/lib/form/code";
import { focusFirstFault } from "~/lib/form/form-faults";
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { localeOf } from "~/lib/locale";
import { sendSecondStep } from "../api";
import { waitMessage } from "../form/form-problem";
import { CHALLENGE_EXPIRED } from "./codes";
import type { SecondStepProps } from "./second-step";

type Plan = Omit<SecondStepProps, "onBack">;

/** The state of the form. It needs no idempotency key: after a lost response the next code signs in. */
export function useSecondStepForm({ challenge, isWrong = false, onSignedIn, onExpired }: Plan) {
  const t = useTexts();
  const { pathname, search } = useLocation();
  const [kind, setKind] = useState<"app" | "recovery">("app");
  const [code, setCode] = useState("");
  const [fault, setFault] = useState<string | null>(isWrong ? t("secondFactor.wrong") : null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sending, setSending] = useState(false);
  const busy = useRef(false);

  const refuse = (refusal: Problem) => {
    if (refusal.code === CHALLENGE_EXPIRED) return onExpired();
    if (isWrongCode(refusal)) setFault(t(kind === "app" ? "secondFactor.wrong" : "secondFactor.wrongRecovery"));
    else setProblem(refusal);
  };

  const messageOf = (refusal: Problem): string => {
    if (refusal.status === 429) return waitMessage(refusal, localeOf(pathname), t) ?? t("errors.tooMany");
    return t(refusal.code === NETWORK_FAILURE ? "errors.network" : "errors.generic");
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (busy.current) return;
    setProblem(null);
    setFault(plainCode(code) ? null : t("auth.faults.required"));
    if (!plainCode(code)) return focusFirstFault(form);
    busy.current = true;
    setSending(true);
    const answer = await sendSecondStep({ challenge, code: plainCode(code) }, new URLSearchParams(search));
    busy.current = false;
    if (answer.ok) return onSignedIn(answer.value);
    setSending(false);
    refuse(answer.problem);
    focusFirstFault(form);
  };

  return {
    kind,
    code,
    fault,
    message: problem && messageOf(problem),
    sending,
    set: (typed: string) => {
      setCode(typed);
      setFault(null);
    },
    switchKind: () => {
      setKind(kind === "app" ? "recovery" : "app");
      setCode("");
      setFault(null);
    },
    submit: (event: FormEvent<HTMLFormElement>) => void submit(event),
  };
}
