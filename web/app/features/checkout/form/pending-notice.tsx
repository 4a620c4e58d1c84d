import type { ReactNode } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { ButtonLink } from "~/ui/button/button-link";
import { Notice } from "~/ui/notice/notice";

/** For a payment without a result: the buyer may leave the page. */
export function PendingNotice({ isPaypal, children }: { isPaypal?: boolean; children?: ReactNode }) {
  const t = useTexts();
  return (
    <Notice tone="info" title={t(isPaypal ? "checkout.approvalTitle" : "checkout.pendingTitle")}>
      <p>{t(isPaypal ? "checkout.approval" : "checkout.pending")}</p>
      <p>{t("checkout.pendingLeave")}</p>
      <div className="flex flex-wrap gap-3 pt-2">
        {children}
        <ButtonLink url="/account" size="compact" variant="secondary">
          {t("checkout.toSubscription")}
        </ButtonLink>
      </div>
    </Notice>
  );
}
