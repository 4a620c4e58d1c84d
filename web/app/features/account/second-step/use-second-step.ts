import { useCallback, useEffect, useState } from "react";
import { useQuery } from "~/lib/browser/query";
import { clearUrlToken, useUrlToken } from "~/lib/session/url-token";
import { CHALLENGE_EXPIRED, CODE_WRONG } from "./codes";

export interface SecondStepControl {
  /** Names the sign-in that waits for its second step; null: none. */
  challenge: string | null;
  /** The last sign-in took too long. */
  hasExpired: boolean;
  /** The form was posted before hydration, with a wrong code. */
  isWrong: boolean;
  begin: (challenge: string) => void;
  expire: () => void;
  leave: () => void;
}

/** Whether a page with sign-in shows its second step. A form posted before hydration returns with the challenge. */
export function useSecondStep(): SecondStepControl {
  const [challenge, setChallenge] = useState<string | null>(null);
  const [hasExpired, setExpired] = useState(false);
  const [hasLeft, setLeft] = useState(false);
  const fromUrl = useUrlToken("challenge");
  const error = useQuery()?.get("error");
  const returned = hasLeft || error === CHALLENGE_EXPIRED ? null : fromUrl;

  // This page keeps it; a return to the page begins with the first step.
  useEffect(() => {
    if (fromUrl) clearUrlToken("challenge");
  }, [fromUrl]);

  const end = (isExpired: boolean) => {
    setChallenge(null);
    setExpired(isExpired);
    setLeft(true);
  };
  return {
    challenge: challenge ?? returned,
    hasExpired,
    isWrong: challenge === null && error === CODE_WRONG,
    begin: useCallback((next: string) => {
      setExpired(false);
      setChallenge(next);
    }, []),
    expire: () => end(true),
    leave: () => end(false),
  };
}
