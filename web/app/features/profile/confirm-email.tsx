import { useEffect, useRef, useState } from "react";
import type { Problem } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import { clearUrlToken, useUrlToken } from "~/lib/session/url-token";
import "~/lib/i18n/account";
import { currentUser, setMember } from "~/lib/session/session";
import { Button } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";
import { confirmEmail, loadProfile } from "./api";
import { useProblemText } from "./form-notice";

/** For the link mailed to a new address. It needs a click, because mail scanners open every link. */
export function ConfirmEmail() {
  const t = useTexts();
  const urlToken = useUrlToken("emailToken");
  const [isSending, setSending] = useState(false);
  const [end, setEnd] = useState<"done" | Problem | null>(null);
  const token = useRef<string | null>(null);
  token.current ??= urlToken;

  const confirm = async () => {
    if (!token.current || isSending) return;
    setSending(true);
    const answer = await confirmEmail(token.current);
    setSending(false);
    setEnd(answer.ok ? "done" : answer.problem);
    if (!answer.ok) return;
    clearUrlToken("emailToken");
    await refreshAddress();
  };

  if (end === "done") return <FocusedNotice tone="success" text={t("profile.confirmDone")} />;
  if (!token.current) return null;
  return (
    <div className="space-y-5">
      {end && <ConfirmFailed problem={end} />}
      {(end === null || end.code !== "LINK_EXPIRED") && (
        <Notice tone="info">
          <p>{t("profile.confirmText")}</p>
          <Button size="compact" busy={isSending} onClick={() => void confirm()}>
            {t("profile.confirmAction")}
          </Button>
        </Notice>
      )}
    </div>
  );
}

function ConfirmFailed({ problem }: { problem: Problem }) {
  const t = useTexts();
  const message = useProblemText();
  return (
    <FocusedNotice tone="danger" text={problem.code === "LINK_EXPIRED" ? t("profile.confirmOver") : message(problem)} />
  );
}

function FocusedNotice({ tone, text }: { tone: "success" | "danger"; text: string }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <Notice ref={notice} tone={tone}>
      <p>{text}</p>
    </Notice>
  );
}

/** The member whose address it was may be signed in on this page. */
async function refreshAddress(): Promise<void> {
  const user = currentUser();
  if (!user) return;
  const profile = await loadProfile();
  if (profile.ok) setMember({ ...user, fullName: profile.value.fullname, email: profile.value.email });
}
