import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/account";
import { Notice } from "~/ui/notice/notice";

/** The challenge of a second step is valid for some minutes only. */
export function ChallengeExpired() {
  const t = useTexts();
  return (
    <Notice tone="danger">
      <p>{t("secondFactor.expired")}</p>
    </Notice>
  );
}
