import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { useHydrated } from "~/lib/browser/hydrated";
import type { Problem } from "~/lib/http/request";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { useQuery } from "~/lib/browser/query";
import { localeOf } from "~/lib/locale";
import { Notice } from "~/ui/notice/notice";
import { actions, sendForgotPassword } from "../api";
import { EmailForm } from "../form/email-form";
import { waitMessage } from "../form/form-problem";
import type { ForgotPasswordTexts } from "./forgot-password";

/** The `done` value of the gateway's redirect after a form posted without scripts. */
export const LINK_SENT = "LINK_SENT";

/** Requests the mailed link. It can be requested again: addresses are mistyped and mails get lost. */
export function RequestLink({ texts }: { texts: ForgotPasswordTexts }) {
  const t = useTexts();
  const lang = localeOf(useLocation().pathname);
  const returned = useQuery()?.get("done") === LINK_SENT;
  const [sent, setSent] = useState(0);
  const send = sendForgotPassword(lang);
  return (
    <>
      <SentNotice key={sent} times={sent + Number(returned)} message={texts.sentMessage} />
      <EmailForm
        action={actions.forgotPassword}
        stays
        send={(draft, key) => {
          setSent(0);
          return send(draft, key);
        }}
        onDone={() => setSent(sent + 1)}
        submitLabel={texts.submitLabel ?? t("auth.sendLink")}
        failure={(problem) => <FailedNotice problem={problem} texts={texts} />}
      />
    </>
  );
}

function SentNotice({ times, message }: { times: number; message: string }) {
  const notice = useRef<HTMLDivElement>(null);
  const isHydrated = useHydrated();
  useEffect(() => {
    if (times > 0) notice.current?.focus();
  }, [times]);
  if (isHydrated && times === 0) return null;
  return (
    <div id={LINK_SENT} className={isHydrated ? undefined : "hidden scroll-mt-24 target:block"}>
      <Notice ref={notice} tone="success">
        <p>{message}</p>
      </Notice>
    </div>
  );
}

function FailedNotice({ problem, texts }: { problem: Problem; texts: ForgotPasswordTexts }) {
  const t = useTexts();
  const wait = waitMessage(problem, localeOf(useLocation().pathname), t);
  const isOver = problem.code === "LINK_EXPIRED";
  return (
    <Notice tone="danger">
      <p>{isOver ? (texts.resetInvalidMessage ?? t("auth.linkExpired")) : texts.failedMessage}</p>
      {wait && <p>{wait}</p>}
    </Notice>
  );
}
