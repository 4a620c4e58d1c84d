/**
 * Calls that need a recent authentication. The server refuses them with `STEP_UP_REQUIRED`; then a dialog asks for the
 * password, and the call is repeated once. `features/step-up` contains the dialog.
 */
import { useSyncExternalStore } from "react";
import type { Answer, Problem } from "../http/request";

export const STEP_UP_REQUIRED = "STEP_UP_REQUIRED";

/** `sign_in`: only a new sign-in proves the member. */
export type StepUpMethod = "password" | "code" | "sign_in";

export interface StepUpRequest {
  methods: StepUpMethod[];
  /** Call once: whether the server accepted the proof. */
  settle: (isProven: boolean) => void;
}

const METHODS: readonly StepUpMethod[] = ["password", "code", "sign_in"];

let current: StepUpRequest | null = null;
let pending: Promise<boolean> | null = null;
const listeners = new Set<() => void>();

/** Sends `call`, and once more after a step-up. Without a proof the result is the refusal. */
export async function withStepUp<T>(call: () => Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await call();
  if (answer.ok || answer.problem.code !== STEP_UP_REQUIRED || listeners.size === 0) return answer;
  return (await stepUp(answer.problem)) ? call() : answer;
}

/** One dialog at a time: a second call waits for the same proof. */
function stepUp(problem: Problem): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    const settle = (isProven: boolean) => {
      pending = null;
      show(null);
      resolve(isProven);
    };
    show({ methods: methodsOf(problem), settle });
  });
  return pending;
}

function methodsOf({ methods = [] }: Problem): StepUpMethod[] {
  const known = METHODS.filter((method) => methods.includes(method));
  return known.length > 0 ? known : ["password"];
}

function show(request: StepUpRequest | null): void {
  current = request;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    // The dialog has left the page with its block.
    if (listeners.size === 0) current?.settle(false);
  };
}

export function useStepUpRequest(): StepUpRequest | null {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
}
