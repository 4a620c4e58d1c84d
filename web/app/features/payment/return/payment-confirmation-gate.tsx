import { lazy, type ReactNode, Suspense, useState } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { useQuery } from "~/lib/browser/query";
import { isPaymentReturn, MARK_RETURN_SCRIPT } from "~/lib/payment/payment-return";
import { PaymentOutcome } from "./payment-outcome";
import type { ReturnState } from "./return-state";
import { useUnpaidAttribute } from "./use-unpaid-attribute";

const PaymentStatusPoller = lazy(() => import("./payment-status-poller"));

interface PaymentConfirmationGateProps {
  /** `isConfirmed`: whether the success content may be announced. The server's HTML is the same for everyone. */
  children: (isConfirmed: boolean) => ReactNode;
}

/**
 * Gates a success page after a payment: its content shows when the payment is confirmed, and the outcome otherwise. The
 * server sends both, and an inline script selects one before the first paint.
 */
export function PaymentConfirmationGate({ children }: PaymentConfirmationGateProps) {
  const textsFor = useStatusTexts();
  const query = useQuery();
  const [status, setStatus] = useState<ReturnState | null>(null);
  const isReturn = query !== null && isPaymentReturn(query);
  const isUnconfirmed = isReturn && status?.step !== "paid";
  useUnpaidAttribute(query && isUnconfirmed);

  return (
    <div>
      {!query && <script>{MARK_RETURN_SCRIPT}</script>}
      {(!query || isUnconfirmed) && (
        <div className="hidden unpaid:block">
          <PaymentOutcome state={status} {...textsFor(status)} isFallback={!query} />
        </div>
      )}
      {!isUnconfirmed && <div className="unpaid:hidden">{children(query !== null)}</div>}
      {isReturn && (
        <Suspense>
          <PaymentStatusPoller query={query} onStatus={setStatus} />
        </Suspense>
      )}
    </div>
  );
}

function useStatusTexts() {
  const t = useTexts();
  return (state: ReturnState | null) => {
    if (state?.step === "failed") return { title: t("paymentReturn.failedTitle"), text: t("paymentReturn.failed") };
    if (state?.step === "declined") return { title: t("paymentReturn.failedTitle"), text: t("paymentReturn.declined") };
    if (state?.step === "checking") return { title: t("checkout.pendingTitle"), text: t("checkout.pending") };
    if (state?.step === "unknown" || state?.step === "unconfirmed") {
      return { title: t("paymentReturn.unknownTitle"), text: t("paymentReturn.unknown") };
    }
    return { title: t("paymentReturn.checking"), text: state?.step === "unanswered" ? t("errors.network") : null };
  };
}
