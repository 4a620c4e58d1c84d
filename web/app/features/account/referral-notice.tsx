import { useLocation } from "react-router";
import { Notice } from "~/ui/notice/notice";

/** The notice of the page that navigated here, such as why an account is needed. */
export function ReferralNotice() {
  const notice = noticeOf(useLocation().state);
  return notice && <Notice tone="info">{notice}</Notice>;
}

function noticeOf(state: unknown): string | null {
  const notice = typeof state === "object" && state !== null && "notice" in state ? state.notice : null;
  return typeof notice === "string" && notice !== "" ? notice : null;
}
