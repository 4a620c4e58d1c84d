import { useEffect, useRef } from "react";
import { Notice } from "~/ui/notice/notice";
import type { Subscription } from "../api";
import type { ActionNotice } from "../state";
import { useStatusMessage } from "../subscription-texts";

const TONES = { done: "success", open: "info", refused: "danger", lost: "info", unseen: "danger" } as const;

interface StatusNoticeProps {
  notice: ActionNotice;
  subscription: Subscription | undefined;
}

/** Takes the focus, because the pressed button may be gone. */
export function StatusNotice({ notice, subscription }: StatusNoticeProps) {
  const element = useRef<HTMLDivElement>(null);
  const messageOf = useStatusMessage();
  const { kind, action } = notice;
  // biome-ignore lint/correctness/useExhaustiveDependencies: with everything new that is notice.
  useEffect(() => element.current?.focus(), [kind, action]);
  return (
    <Notice key={kind} ref={element} tone={TONES[kind]}>
      <p>{messageOf(notice, subscription)}</p>
    </Notice>
  );
}
