import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer, Problem } from "~/lib/http/request";
import {
  type Enrolment,
  enrol,
  loadSecondFactor,
  type RecoveryCodes,
  renewRecoveryCodes,
  type SecondFactor as Settings,
  turnOffSecondFactor,
} from "./api";

export type SecondFactorStep =
  | { at: "overview" }
  | { at: "enrolling"; enrolment: Enrolment }
  /** New codes, shown until the member has kept them. */
  | { at: "codes"; codes: string[] };

export type SecondFactorAction = "enrol" | "renew" | "turnOff";

export interface SecondFactor {
  /** Null while loading. */
  settings: Settings | null;
  step: SecondFactorStep;
  running: SecondFactorAction | null;
  problem: Problem | null;
  /** The change that was made last. */
  done: "turnedOn" | "turnedOff" | null;
  enrol: () => void;
  renew: () => void;
  turnOff: () => void;
  /** The enrolment was confirmed. */
  confirmed: (codes: RecoveryCodes) => void;
  /** Back to the overview, with the present state. */
  finish: () => void;
  /** The overview replaced a step with the focus. */
  hasReturned: boolean;
}

const OVERVIEW: SecondFactorStep = { at: "overview" };

export function useSecondFactor(): SecondFactor {
  const [settings, setSettings] = useState<Settings | null>(null);
  const [step, setStep] = useState<SecondFactorStep>(OVERVIEW);
  const [running, setRunning] = useState<SecondFactorAction | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [done, setDone] = useState<SecondFactor["done"]>(null);
  const [hasReturned, setReturned] = useState(false);
  const busy = useRef(false);

  const load = useCallback(async () => {
    const answer = await loadSecondFactor();
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) setSettings(answer.value);
  }, []);
  useEffect(() => void load(), [load]);

  const run = async <T>(action: SecondFactorAction, call: () => Promise<Answer<T>>, accept: (value: T) => void) => {
    if (busy.current) return;
    busy.current = true;
    setRunning(action);
    setProblem(null);
    setDone(null);
    const answer = await call();
    busy.current = false;
    setRunning(null);
    if (answer.ok) accept(answer.value);
    else setProblem(answer.problem);
  };

  const showCodes = ({ recovery_codes: codes }: RecoveryCodes) => setStep({ at: "codes", codes });

  return {
    settings,
    step,
    running,
    problem,
    done,
    enrol: () => void run("enrol", enrol, (enrolment) => setStep({ at: "enrolling", enrolment })),
    renew: () => void run("renew", renewRecoveryCodes, showCodes),
    turnOff: () =>
      void run("turnOff", turnOffSecondFactor, () => {
        setDone("turnedOff");
        void load();
      }),
    confirmed: (codes) => {
      setDone("turnedOn");
      showCodes(codes);
    },
    finish: () => {
      setStep(OVERVIEW);
      setReturned(true);
      void load();
    },
    hasReturned,
  };
}
