import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Progress, Refusal } from "~/features/payment/form/payment-messages";
import type { Fault } from "~/features/payment/pay/fault";
import { Button } from "~/ui/button/button";
import type { Checkout } from "../use-checkout";
import { PendingNotice } from "./pending-notice";

/** The payment's status in one live region. */
export function PayStatus({ checkout }: { checkout: Checkout }) {
  const t = useTexts();
  const { state } = checkout;
  if (state.step === "ready" && state.fault) return <Refusal fault={state.fault} />;
  if (state.step === "pending") {
    return (
      <PendingNotice>
        <Button size="compact" variant="secondary" onClick={checkout.recheck}>
          {t("checkout.checkAgain")}
        </Button>
      </PendingNotice>
    );
  }
  if (state.step === "intentUnavailable") return <IntentUnavailable fault={state.fault} onRetry={checkout.retry} />;
  if (state.step === "awaitingApproval") return <Progress text={t("checkout.approving")} />;
  if (state.step === "paid") return <Progress text={t("checkout.paid")} />;
  if (state.step !== "paying" || state.phase === "card") return null;
  return <Progress text={t(`checkout.phase.${state.phase}`)} />;
}

/** Without a fault the text is muted: the buyer has done nothing yet. */
function IntentUnavailable({ fault, onRetry }: { fault: Fault | null; onRetry: () => void }) {
  const t = useTexts();
  return (
    <div className="space-y-3">
      {fault ? <Refusal fault={fault} /> : <p className="text-sm text-muted">{t("checkout.blocked")}</p>}
      <Button size="compact" variant="secondary" onClick={onRetry}>
        {t("errors.retry")}
      </Button>
    </div>
  );
}
