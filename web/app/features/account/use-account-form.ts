import { type FormEvent, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { track } from "~/lib/analytics";
import type { Problem } from "~/lib/http/request";
import { type Locale, localeOf } from "~/lib/locale";
import { signedIn } from "~/lib/session";
import { local, perTab } from "~/lib/storage";
import { fieldOf, submitAccount } from "./api";
import { destination, orderIdOf } from "./destination";
import {
  type Draft,
  EMPTY_DRAFT,
  type FaultCode,
  type Faults,
  type FieldName,
  type Mode,
  type Rules,
  validate,
} from "./validate";

export const PAYMENT_PAGE_KEY = "paymentPage";
export const ORDER_KEY = "mdOrderId";

export interface AccountForm {
  draft: Draft;
  faults: Faults;
  problem: Problem | null;
  /** The form was sent and came back with faults. */
  attempted: boolean;
  sending: boolean;
  set: (change: Partial<Draft>) => void;
  leave: (field: FieldName) => void;
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

/** Faults show once a field was left or the form was sent, and go as soon as they are mended. */
export function useAccountForm(rules: Rules): AccountForm {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [seen, setSeen] = useState<ReadonlySet<FieldName>>(new Set());
  const [refused, setRefused] = useState<Faults>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [attempted, setAttempted] = useState(false);
  const [sending, setSending] = useState(false);
  const busy = useRef(false);
  const found = validate(draft, rules);

  const set = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change });
    setRefused(without(refused, Object.keys(change)));
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSeen(new Set(["name", "email", "emailConfirmation", "password", "terms", "renewal"]));
    setProblem(null);
    setAttempted(true);
    const form = event.currentTarget;
    if (Object.keys(found).length > 0) return focusFirstFault(form);
    if (busy.current) return;
    busy.current = true;
    setSending(true);
    const query = new URLSearchParams(search);
    const locale = localeOf(pathname);
    const answer = await submitAccount({ mode: rules.mode, draft, lang: locale, orderId: orderIdOf(query) });
    busy.current = false;
    if (answer.ok) {
      signedIn(answer.value.user);
      reportArrival(rules.mode, query);
      return navigate(leaveFor(rules.mode, locale, query));
    }
    setSending(false);
    setProblem(answer.problem);
    setRefused(refusedFields(answer.problem));
    focusFirstFault(form);
  };

  return {
    draft,
    faults: { ...only(found, seen), ...refused },
    problem,
    attempted,
    sending,
    set,
    leave: (field) => setSeen(new Set([...seen, field])),
    submit: (event) => void submit(event),
  };
}

function reportArrival(mode: Mode, query: URLSearchParams): void {
  if (mode === "signIn") {
    track("signin");
    return;
  }
  track("signup");
  const orderId = orderIdOf(query);
  if (orderId) local.set(ORDER_KEY, orderId);
  // Without an order the event flags a lost one, although the sign-up itself went well.
  track(orderId ? "sign-up-done" : "sign-up-error");
}

function leaveFor(mode: Mode, locale: Locale, query: URLSearchParams): string {
  const paymentPage = perTab.get(PAYMENT_PAGE_KEY);
  perTab.remove(PAYMENT_PAGE_KEY);
  return destination({ mode, locale, query, paymentPage });
}

const serverCodes: Record<string, FaultCode> = {
  REQUIRED: "required",
  INVALID: "invalid",
  TOO_SHORT: "short",
  TOO_LONG: "long",
  TOO_COMMON: "common",
};

function refusedFields(problem: Problem): Faults {
  const faults: Faults = {};
  for (const error of problem.errors) {
    const field = fieldOf(error.field);
    if (field) faults[field] = serverCodes[error.code] ?? "invalid";
  }
  if (problem.code === "R100") faults.email = "taken";
  return faults;
}

function focusFirstFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}

function only(faults: Faults, fields: ReadonlySet<FieldName>): Faults {
  return Object.fromEntries(Object.entries(faults).filter(([field]) => fields.has(field as FieldName)));
}

function without(faults: Faults, fields: string[]): Faults {
  return Object.fromEntries(Object.entries(faults).filter(([field]) => !fields.includes(field)));
}
