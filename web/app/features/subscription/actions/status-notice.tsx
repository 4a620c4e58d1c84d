import { useEffect, useRef } from "react";
import { Notice } from "~/ui/notice/notice";
import type { Subscription } from "../api";
import type { Said } from "../state";
import { useSaid } from "../subscription-texts";

const TONES = { done: "success", open: "info", refused: "danger", lost: "info", unseen: "danger" } as const;

interface ToldProps {
  said: Said;
  subscription: Subscription | undefined;
}

/** The button that was pressed may be gone: whoever pressed it goes on here. */
export function Told({ said, subscription }: ToldProps) {
  const notice = useRef<HTMLDivElement>(null);
  const inWords = useSaid();
  const { kind, wish } = said;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with everything new that is said.
  useEffect(() => notice.current?.focus(), [kind, wish]);
  return (
    <Notice key={kind} ref={notice} tone={TONES[kind]}>
      <p>{inWords(said, subscription)}</p>
    </Notice>
  );
}
