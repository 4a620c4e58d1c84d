import { type FormEvent, useRef, useState } from "react";
import { useLocation } from "react-router";
import { isWrongCode, plainCode } from "~/lib/form/code";
import { focusFirstFault } from "~/lib/form/form-faults";
import { formatWait } from "~/lib/format/wait";
import { NETWORK_FAILURE, type Problem } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { localeOf } from "~/lib/locale";
import { STEP_UP_REQUIRED } from "~/lib/session/step-up";
import { sendProof } from "./api";

interface ProofPlan {
  needsCode: boolean;
  onProven: () => void;
  /** The session has ended: no proof can help. */
  onCancel: () => void;
}

interface Values {
  password: string;
  code: string;
}

type Faults = Partial<Values>;

const EMPTY: Values = { password: "", code: "" };
const WRONG_PASSWORD = ["WRONG_PASSWORD", "INVALID_CREDENTIALS"];
const SIGNED_OUT = "V100";

/** The state of the form that proves the member. Faults are texts. */
export function useProof({ needsCode, onProven, onCancel }: ProofPlan) {
  const t = useTexts();
  const messageOf = useProblemMessage();
  const [values, setValues] = useState(EMPTY);
  const [faults, setFaults] = useState<Faults>({});
  const [message, setMessage] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const busy = useRef(false);

  const missing = (): Faults => ({
    ...(values.password ? {} : { password: t("auth.faults.required") }),
    ...(needsCode && !plainCode(values.code) ? { code: t("auth.faults.required") } : {}),
  });

  const refuse = (problem: Problem) => {
    if (problem.code === SIGNED_OUT) return onCancel();
    if (WRONG_PASSWORD.includes(problem.code)) setFaults({ password: t("erasure.wrongPassword") });
    // The account has no password any more.
    else if (problem.code === STEP_UP_REQUIRED) setMessage(t("stepUp.signInText"));
    else if (isWrongCode(problem)) setFaults({ code: t("secondFactor.wrong") });
    else setMessage(messageOf(problem));
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (busy.current) return;
    const found = missing();
    setFaults(found);
    setMessage(null);
    if (Object.keys(found).length > 0) return focusFirstFault(form);
    busy.current = true;
    setSending(true);
    const { password, code } = values;
    const answer = await sendProof(needsCode ? { password, code: plainCode(code) } : { password });
    busy.current = false;
    setSending(false);
    if (answer.ok) return onProven();
    refuse(answer.problem);
    focusFirstFault(form);
  };

  return {
    ...values,
    faults,
    message,
    sending,
    set: (change: Partial<Values>) => {
      setValues({ ...values, ...change });
      setFaults({});
    },
    submit: (event: FormEvent<HTMLFormElement>) => void submit(event),
  };
}

function useProblemMessage(): (problem: Problem) => string {
  const t = useTexts();
  const locale = localeOf(useLocation().pathname);
  return ({ code, status, retryAfterSecs }) => {
    if (code === NETWORK_FAILURE) return t("errors.network");
    if (status !== 429) return t("errors.generic");
    return retryAfterSecs ? t("auth.tooManyUntil", { wait: formatWait(retryAfterSecs, locale) }) : t("errors.tooMany");
  };
}
