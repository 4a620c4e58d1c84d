import { type FormEvent, useEffect, useRef, useState } from "react";
import { focusFirstFault, only, without } from "~/lib/form/form-faults";
import type { Problem } from "~/lib/http/request";
import { setMember, type User } from "~/lib/session/session";
import { loadProfile, type ProfileChange, type SavedProfile, saveProfile } from "./api";
import { type Draft, type Faults, type FieldName, refusedFields, validate } from "./validate";

export interface ProfileForm {
  draft: Draft;
  faults: Faults;
  problem: Problem | null;
  /** Submitted, with faults. */
  attempted: boolean;
  step: "filling" | "sending" | "saved";
  /** The address that a link was mailed to. */
  pendingEmail: string | null;
  set: (change: Partial<Draft>) => void;
  leave: (field: FieldName) => void;
  /** Closes the toast that names the fields. */
  dismiss: () => void;
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

/** Starts with the session's name and address; the loaded profile replaces them, but never what was typed. */
export function useProfileForm(user: User, onSuccess: () => void): ProfileForm {
  const [profile, setProfile] = useProfile(user);
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const [seen, setSeen] = useState<ReadonlySet<FieldName>>(new Set());
  const [refused, setRefused] = useState<Faults>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [attempted, setAttempted] = useState(false);
  const [step, setStep] = useState<ProfileForm["step"]>("filling");
  const [pendingEmail, setPendingEmail] = useState<string | null>(null);
  const busy = useRef(false);
  const draft = { ...profile, password: "", ...typed };
  const found = validate(draft);

  const refuse = (refusal: Problem, form: HTMLFormElement) => {
    setStep("filling");
    setProblem(refusal);
    setRefused(refusedFields(refusal));
    focusFirstFault(form);
  };

  const accept = (saved: SavedProfile) => {
    setStep("saved");
    setProfile({ name: saved.fullname, email: saved.email });
    setTyped({});
    setPendingEmail(saved.pendingEmail ?? null);
    setSeen(new Set());
    setAttempted(false);
    setMember({ ...user, fullName: saved.fullname, email: saved.email });
    onSuccess();
  };

  const send = async (form: HTMLFormElement) => {
    busy.current = true;
    setStep("sending");
    const answer = await saveProfile(changeOf(draft));
    busy.current = false;
    if (answer.ok) accept(answer.value);
    else refuse(answer.problem, form);
  };

  return {
    draft,
    faults: { ...only(found, seen), ...refused },
    problem,
    attempted,
    step,
    pendingEmail,
    set: (change) => {
      setTyped({ ...typed, ...change });
      setRefused(without(refused, Object.keys(change)));
      setStep("filling");
    },
    leave: (field) => setSeen(new Set([...seen, field])),
    dismiss: () => setAttempted(false),
    submit: (event) => {
      event.preventDefault();
      setSeen(new Set(["name", "email", "password"]));
      setProblem(null);
      setAttempted(true);
      if (Object.keys(found).length > 0) return focusFirstFault(event.currentTarget);
      if (!busy.current) void send(event.currentTarget);
    },
  };
}

interface KnownProfile {
  name: string;
  email: string;
}

function useProfile(user: User): [KnownProfile, (profile: KnownProfile) => void] {
  const [profile, setProfile] = useState({ name: user.fullName, email: user.email });

  useEffect(() => {
    let isCurrent = true;
    void loadProfile().then((answer) => {
      if (isCurrent && answer.ok) setProfile({ name: answer.value.fullname, email: answer.value.email });
    });
    return () => {
      isCurrent = false;
    };
  }, []);

  // A confirmation link opened in another tab changes the address.
  useEffect(() => setProfile((known) => ({ ...known, email: user.email })), [user.email]);

  return [profile, setProfile];
}

function changeOf({ name, email, password }: Draft): ProfileChange {
  return { fullname: name.trim(), email: email.trim(), password };
}
