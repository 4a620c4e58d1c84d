import { useLocation } from "react-router";
import { Progress, Refusal } from "~/features/payment/form/payment-messages";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { localeOf } from "~/lib/locale";
import { Button } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";
import type { OneTimeState } from "../state";
import { withTurkishMessage } from "./turkish-messages";

interface OneTimeStatusProps {
  state: OneTimeState;
  onRecheck: () => void;
}

/** The payment's status in one live region. */
export function OneTimeStatus({ state, onRecheck }: OneTimeStatusProps) {
  const t = useTexts();
  const locale = localeOf(useLocation().pathname);
  switch (state.step) {
    case "ready":
    case "loading":
      return state.fault && <Refusal fault={withTurkishMessage(locale, state.fault)} />;
    case "mustResend":
      return (
        <Notice tone="danger">
          <p>{t("checkout.faults.NETWORK_FAILURE")}</p>
        </Notice>
      );
    case "pending":
      return (
        <Notice tone="info" title={t("checkout.pendingTitle")}>
          <p className="mb-3">{t("oneTime.pending")}</p>
          <Button size="compact" variant="secondary" onClick={onRecheck}>
            {t("checkout.checkAgain")}
          </Button>
        </Notice>
      );
    case "paying":
      return state.phase === "card" ? null : <Progress text={t(`checkout.phase.${state.phase}`)} />;
    case "paid":
      return <Progress text={t("checkout.paid")} />;
    case "visitor":
    case "unavailable":
      return null;
  }
}
