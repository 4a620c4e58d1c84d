import { type FormEvent, useEffect, useReducer, useState } from "react";
import { useLocation } from "react-router";
import { focusFirstFault, only, without } from "~/lib/form/form-faults";
import { localeOf } from "~/lib/locale";
import { uuid } from "~/lib/random";
import { fetchSession, useSession } from "~/lib/session/session";
import { declareWithdrawal } from "./api";
import { type Draft, type Faults, FIELD_NAMES, type FieldName, trimmed, validate } from "./draft";
import { INITIAL, reduce, type State } from "./state";

export interface Withdrawal {
  state: State;
  draft: Draft;
  faults: Faults;
  set: (field: FieldName, value: string) => void;
  leave: (field: FieldName) => void;
  review: (event: FormEvent<HTMLFormElement>) => void;
  change: () => void;
  confirm: () => void;
}

/** Needs no session; a member's name and address are prefilled until they are edited. */
export function useWithdrawal(): Withdrawal {
  const locale = localeOf(useLocation().pathname);
  const session = useSession();
  const [state, dispatch] = useReducer(reduce, INITIAL as State);
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const [seen, setSeen] = useState<ReadonlySet<FieldName>>(new Set());
  useEffect(() => void fetchSession(), []);

  const known = session.state === "member" ? { name: session.user.fullName, email: session.user.email } : null;
  const draft = { name: "", email: "", reference: "", ...known, ...typed };
  const found = validate(draft);
  const refused = state.at === "filling" ? state.refused : {};

  const review = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSeen(new Set(FIELD_NAMES));
    if (Object.keys({ ...found, ...refused }).length > 0) return focusFirstFault(event.currentTarget);
    setTyped(trimmed(draft));
    dispatch({ type: "reviewed", draft: trimmed(draft), key: uuid() });
  };

  const confirm = async () => {
    if (state.at !== "reviewing") return;
    dispatch({ type: "confirmed" });
    const answer = await declareWithdrawal(state.draft, locale, state.key);
    if (answer.ok) dispatch({ type: "received", receipt: answer.value });
    else dispatch({ type: "refused", problem: answer.problem });
  };

  return {
    state,
    draft,
    faults: { ...only(found, seen), ...refused },
    set: (field, value) => {
      setTyped({ ...typed, [field]: value });
      dispatch({ type: "mended", faults: without(refused, [field]) });
    },
    leave: (field) => setSeen(new Set([...seen, field])),
    review,
    change: () => dispatch({ type: "changed" }),
    confirm: () => void confirm(),
  };
}
