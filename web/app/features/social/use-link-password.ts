import { type FormEvent, useState } from "react";
import { useLocation } from "react-router";
import { localeOf } from "~/lib/locale";
import { faultOf, sendPasswordProof } from "./api";
import type { Fault } from "./providers/provider-result";
import type { LinkRequest, SocialSignInResult } from "./use-social-sign-in";

export type LinkPasswordFault = Fault | "wrong" | "empty";

interface LinkPlan {
  request: LinkRequest;
  onSignedIn: (arrived: SocialSignInResult) => void;
  onSecondStep: (challenge: string) => void;
}

/** Sends the password that authorises linking. */
export function useLinkPassword({ request: { email, provider }, onSignedIn, onSecondStep }: LinkPlan) {
  const { pathname, search } = useLocation();
  const [password, setPassword] = useState("");
  const [fault, setFault] = useState<LinkPasswordFault | null>(null);
  const [sending, setSending] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending) return;
    const field = event.currentTarget.elements.namedItem("password");
    const refuse = (found: LinkPasswordFault) => {
      setFault(found);
      if (field instanceof HTMLElement) field.focus();
    };
    if (!password) return refuse("empty");
    setSending(true);
    setFault(null);
    const answer = await sendPasswordProof(
      { email, password, lang: localeOf(pathname), joinProvider: provider },
      search,
    );
    setSending(false);
    if (answer.ok) return onSignedIn({ ...answer.value, kind: "signIn" });
    if (answer.problem.challenge) return onSecondStep(answer.problem.challenge);
    refuse(answer.problem.code === "INVALID_CREDENTIALS" ? "wrong" : faultOf(answer.problem));
  };

  return {
    password,
    fault,
    sending,
    set: (typed: string) => {
      setPassword(typed);
      setFault(null);
    },
    submit: (event: FormEvent<HTMLFormElement>) => void submit(event),
  };
}
