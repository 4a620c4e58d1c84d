import { type FormEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useQuery } from "~/lib/browser/query";
import { focusFirstFault, only, without } from "~/lib/form/form-faults";
import type { Problem } from "~/lib/http/request";
import { uuid } from "~/lib/random";
import type { Send } from "../api";
import { isOfSecondStep } from "../second-step/codes";
import { refusedFields, returnedProblem } from "./refusal";
import { type Draft, type Faults, type FieldName, type Rules, validate } from "./validate";

export interface AccountForm {
  element: RefObject<HTMLFormElement | null>;
  draft: Draft;
  faults: Faults;
  problem: Problem | null;
  /** The form was submitted and has faults. */
  attempted: boolean;
  /** Number of submits: each one announces its faults again. */
  attempts: number;
  sending: boolean;
  set: (change: Partial<Draft>) => void;
  leave: (field: FieldName) => void;
  dismiss: () => void;
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

interface FormPlan<Value> {
  rules: Rules;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  send: Send<Value>;
  onDone: (value: Value) => void;
  /** For refusals that the page handles itself. */
  onProblem?: (problem: Problem) => void;
  /** The form can be submitted again after a success; other forms navigate away. */
  stays?: boolean;
}

const ALL: FieldName[] = ["name", "email", "emailConfirmation", "password", "terms", "renewal"];

/** A fault shows after a field was left or the form was submitted, and disappears when it is fixed. */
export function useAccountForm<Value>(plan: FormPlan<Value>): AccountForm {
  const { rules, draft, onDraft } = plan;
  const element = useRef<HTMLFormElement>(null);
  const [seen, setSeen] = useState<ReadonlySet<FieldName>>(new Set());
  const [refused, setRefused] = useState<Faults>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [attempted, setAttempted] = useState(false);
  const [attempts, setAttempts] = useState(0);
  const attempt = useAttempt(plan.stays ?? false);
  const found = validate(draft, rules);

  useAdoptTyped(element, (typed) => onDraft({ ...draft, ...typed }));
  useReturnedProblem((returned) => {
    setProblem(returned);
    setRefused(refusedFields(returned));
  });

  const set = (change: Partial<Draft>) => {
    attempt.renew();
    onDraft({ ...draft, ...change });
    setRefused(without(refused, Object.keys(change)));
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSeen(new Set(ALL));
    setProblem(null);
    setAttempted(true);
    setAttempts(attempts + 1);
    if (Object.keys(found).length > 0) return focusFirstFault(element.current);
    const answer = await attempt.run((key) => plan.send(draft, key));
    if (!answer) return;
    if (answer.ok) {
      setAttempted(false);
      return plan.onDone(answer.value);
    }
    plan.onProblem?.(answer.problem);
    // The page shows the form of the second step instead.
    if (answer.problem.challenge) return;
    setProblem(answer.problem);
    setRefused(refusedFields(answer.problem));
    focusFirstFault(element.current);
  };

  return {
    element,
    draft,
    faults: { ...only(found, seen), ...refused },
    problem,
    attempted,
    attempts,
    sending: attempt.running,
    set,
    leave: (field) => setSeen(new Set([...seen, field])),
    dismiss: () => {
      setProblem(null);
      setAttempted(false);
    },
    submit: (event) => void submit(event),
  };
}

/** One call at a time. The idempotency key stays the same until the outcome is known or the form changes. */
function useAttempt(stays: boolean) {
  const [running, setRunning] = useState(false);
  const busy = useRef(false);
  const key = useRef<string | null>(null);

  const run = async <Value>(call: (key: string) => ReturnType<Send<Value>>) => {
    if (busy.current) return null;
    busy.current = true;
    setRunning(true);
    key.current ??= uuid();
    const answer = await call(key.current);
    busy.current = false;
    const isUnknown = !answer.ok && (answer.problem.status === 0 || answer.problem.status >= 500);
    if (!isUnknown) key.current = null;
    setRunning(answer.ok && !stays);
    return answer;
  };
  const renew = () => {
    key.current = null;
  };
  return { running, run, renew };
}

/** Adopts values that were typed before hydration. */
function useAdoptTyped(form: RefObject<HTMLFormElement | null>, adopt: (typed: Partial<Draft>) => void): void {
  const isDone = useRef(false);
  useLayoutEffect(() => {
    if (isDone.current || !form.current) return;
    isDone.current = true;
    const typed = typedIn(new FormData(form.current));
    if (Object.keys(typed).length > 0) adopt(typed);
  });
}

function typedIn(data: FormData): Partial<Draft> {
  const typed: Partial<Draft> = {};
  for (const field of ["name", "email", "emailConfirmation", "password"] as const) {
    const value = data.get(field);
    if (typeof value === "string" && value !== "") typed[field] = value;
  }
  for (const box of ["terms", "renewal"] as const) if (data.has(box)) typed[box] = true;
  return typed;
}

/** A form posted before hydration returns with a code in the URL. */
function useReturnedProblem(onProblem: (problem: Problem) => void): void {
  const code = useQuery()?.get("error") ?? null;
  const reported = useRef<string | null>(null);
  useEffect(() => {
    if (code === null || reported.current === code || isOfSecondStep(code)) return;
    reported.current = code;
    onProblem(returnedProblem(code));
  });
}
