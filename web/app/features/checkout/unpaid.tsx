import type { ReactNode } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { paymentVerdict } from "~/lib/payment-return";
import { useQuery } from "~/lib/query";
import { PaymentOutcome } from "./payment-outcome";
import { usePaymentReturn } from "./use-payment-return";

/** A page that thanks: whoever comes to it without having paid is told so instead. */
export function UnlessUnpaid({ children }: { children: ReactNode }) {
  const query = useQuery();
  return query && paymentVerdict(query) === "failed" ? <Unpaid query={query}>{children}</Unpaid> : children;
}

function Unpaid({ query, children }: { query: URLSearchParams; children: ReactNode }) {
  const t = useTexts();
  const state = usePaymentReturn(query);
  // The provider knows better than the address.
  if (state?.step === "paid") return children;
  return (
    <PaymentOutcome state={state} title={t("paymentReturn.failedTitle")} text={t("checkout.faults.paymentError")} />
  );
}
