import { useCallback, useRef, useState } from "react";
import { useLocation } from "react-router";
import { trackSocialSignUp } from "~/lib/analytics";
import type { Answer } from "~/lib/http/request";
import { localeOf } from "~/lib/locale";
import type { User } from "~/lib/session/session";
import type { Provider } from "~/lib/social";
import { faultOf, type SignedIn, sendPayload } from "./api";
import type { Mode } from "./provider-button";
import { rerequestEmail } from "./providers/facebook";
import { spendNonce } from "./providers/nonce";
import { type Fault, failed, type Payload, type ProviderResult } from "./providers/provider-result";

export interface SocialSignInResult {
  user: User;
  redirectPage: string | null;
  kind: "signUp" | "signIn";
}

/** An account has this address already and can be linked. */
export interface LinkRequest {
  provider: Provider;
  email: string;
}

export interface SocialSignIn {
  /** The provider whose window is open or whose response is pending. */
  busy: Provider | null;
  refused: { provider: Provider; fault: Fault } | null;
  linkRequest: LinkRequest | null;
  /** Number of used nonces. */
  spentNonces: number;
  ask: (provider: Provider, ask: () => Promise<ProviderResult>) => void;
  closeLink: () => void;
}

const CREATED = 201;

interface SocialSignInPlan {
  mode: Mode;
  onSignedIn: (arrived: SocialSignInResult) => void;
  /** The account has a second factor. */
  onSecondStep: (challenge: string) => void;
}

export function useSocialSignIn({ mode, onSignedIn, onSecondStep }: SocialSignInPlan): SocialSignIn {
  const { pathname, search } = useLocation();
  const lang = localeOf(pathname);
  // The Russian sign-up tab asks for two consents; a sign-in has asked for none.
  const existingOnly = mode === "signIn" && lang === "ru";
  const [busy, setBusy] = useState<Provider | null>(null);
  const [refused, setRefused] = useState<SocialSignIn["refused"]>(null);
  const [linkRequest, setLinkRequest] = useState<LinkRequest | null>(null);
  const [spentNonces, setSpentNonces] = useState(0);
  const attempts = useRef(0);

  const ask = useCallback(
    async (provider: Provider, askProvider: () => Promise<ProviderResult>) => {
      attempts.current += 1;
      const attempt = attempts.current;
      setBusy(provider);
      setRefused(null);
      const providerResult = await askProvider().catch(() => failed("notLoaded"));
      // Another button was pressed meanwhile.
      if (attempt !== attempts.current) return;
      if (providerResult.kind !== "payload") {
        setBusy(null);
        if (providerResult.kind === "failed") setRefused({ provider, fault: providerResult.fault });
        return;
      }
      const answer = await sendPayload(provider, providerResult.payload, { lang, search, existingOnly });
      spendNonce();
      setSpentNonces((before) => before + 1);
      setBusy(null);
      const outcome = outcomeOf(answer);
      if (outcome.kind === "signedIn") {
        onSignedIn(outcome.result);
        if (outcome.result.kind === "signUp") reportSignUp(providerResult.payload);
      } else if (outcome.kind === "secondStep") onSecondStep(outcome.challenge);
      else if (outcome.kind === "link") setLinkRequest({ provider, email: providerResult.payload.email });
      else {
        if (outcome.fault === "emailMissing") rerequestEmail();
        setRefused({ provider, fault: outcome.fault });
      }
    },
    [onSignedIn, onSecondStep, lang, search, existingOnly],
  );

  return {
    busy,
    refused,
    linkRequest,
    spentNonces,
    ask: useCallback((provider, askProvider) => void ask(provider, askProvider), [ask]),
    closeLink: () => setLinkRequest(null),
  };
}

type Outcome =
  | { kind: "signedIn"; result: SocialSignInResult }
  | { kind: "secondStep"; challenge: string }
  | { kind: "link" }
  | { kind: "refused"; fault: Fault };

function outcomeOf(answer: Answer<SignedIn>): Outcome {
  if (answer.ok) {
    const kind = answer.status === CREATED ? "signUp" : "signIn";
    return { kind: "signedIn", result: { ...answer.value, kind } };
  }
  const { code, challenge } = answer.problem;
  if (challenge) return { kind: "secondStep", challenge };
  if (code === "SOCIAL_LINK_REQUIRED") return { kind: "link" };
  return { kind: "refused", fault: faultOf(answer.problem) };
}

/** The event has fields for Google's payload only. */
function reportSignUp(payload: Payload): void {
  if ("googleID" in payload) void trackSocialSignUp({ ...payload });
}
