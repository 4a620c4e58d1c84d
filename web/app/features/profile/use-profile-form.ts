import { type FormEvent, useEffect, useRef, useState } from "react";
import { focusFirstFault, only, without } from "~/lib/form/form-faults";
import type { Problem } from "~/lib/http/request";
import { signedIn, type User } from "~/lib/session/session";
import { loadProfile, saveProfile } from "./api";
import { type Draft, type Faults, type FieldName, refusedFields, validate } from "./validate";

export interface ProfileForm {
  draft: Draft;
  faults: Faults;
  problem: Problem | null;
  /** Sent, and it came back with faults. */
  attempted: boolean;
  step: "filling" | "sending" | "saved";
  /** Null until the server asks for the password that the account has. */
  current: CurrentPassword | null;
  /** The address that a link was just mailed to. */
  pendingEmail: string | null;
  set: (change: Partial<Draft>) => void;
  leave: (field: FieldName) => void;
  /** Closes the toast that names the fields. */
  dismiss: () => void;
  submit: (event: FormEvent<HTMLFormElement>) => void;
}

export interface CurrentPassword {
  value: string;
  isWrong: boolean;
  set: (typed: string) => void;
}

/** Begins with what the session knows; what the profile says comes after it, and never over what somebody has typed. */
export function useProfileForm(user: User, onSuccess: () => void): ProfileForm {
  const [profile, setProfile] = useState({ name: user.fullName, email: user.email });
  const [typed, setTyped] = useState<Partial<Draft>>({});
  const [seen, setSeen] = useState<ReadonlySet<FieldName>>(new Set());
  const [refused, setRefused] = useState<Faults>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [attempted, setAttempted] = useState(false);
  const [step, setStep] = useState<ProfileForm["step"]>("filling");
  const [current, setCurrent] = useState<{ value: string; isWrong: boolean } | null>(null);
  const [pendingEmail, setPendingEmail] = useState<string | null>(null);
  const busy = useRef(false);
  const draft = { ...profile, password: "", ...typed };
  const found = validate(draft);

  useEffect(() => {
    let wanted = true;
    void loadProfile().then((answer) => {
      if (wanted && answer.ok) setProfile({ name: answer.value.fullname, email: answer.value.email });
    });
    return () => {
      wanted = false;
    };
  }, []);

  // A link that is opened beside the form confirms another address.
  useEffect(() => setProfile((known) => ({ ...known, email: user.email })), [user.email]);

  const send = async (form: HTMLFormElement) => {
    busy.current = true;
    setStep("sending");
    const { name, email, password } = draft;
    const proof = current?.value ? { currentPassword: current.value } : {};
    const answer = await saveProfile({ fullname: name.trim(), email: email.trim(), password, ...proof });
    busy.current = false;
    if (!answer.ok) {
      setStep("filling");
      const { code } = answer.problem;
      if (code === "CURRENT_PASSWORD_REQUIRED" || code === "WRONG_PASSWORD") {
        setCurrent({ value: "", isWrong: code === "WRONG_PASSWORD" });
        return;
      }
      setProblem(answer.problem);
      setRefused(refusedFields(answer.problem));
      return focusFirstFault(form);
    }
    setStep("saved");
    setProfile({ name: answer.value.fullname, email: answer.value.email });
    setTyped({});
    setCurrent(null);
    setPendingEmail(answer.value.pendingEmail ?? null);
    setSeen(new Set());
    setAttempted(false);
    signedIn({ ...user, fullName: answer.value.fullname, email: answer.value.email });
    onSuccess();
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSeen(new Set(["name", "email", "password"]));
    setProblem(null);
    setAttempted(true);
    if (Object.keys(found).length > 0) return focusFirstFault(event.currentTarget);
    if (!busy.current) void send(event.currentTarget);
  };

  const set = (change: Partial<Draft>) => {
    setTyped({ ...typed, ...change });
    setRefused(without(refused, Object.keys(change)));
    setStep("filling");
  };

  const leave = (field: FieldName) => setSeen(new Set([...seen, field]));
  const dismiss = () => setAttempted(false);
  return {
    draft,
    faults: { ...only(found, seen), ...refused },
    problem,
    attempted,
    step,
    current: current && { ...current, set: (value) => setCurrent({ value, isWrong: false }) },
    pendingEmail,
    set,
    leave,
    dismiss,
    submit,
  };
}
