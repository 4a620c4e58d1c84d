import type { ReactNode } from "react";
import { useAlive } from "~/lib/alive";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { MARK_UNPAID, paymentVerdict } from "~/lib/payment-return";
import { useQuery } from "~/lib/query";
import { PaymentOutcome } from "./payment-outcome";
import { usePaymentReturn } from "./use-payment-return";

/** A page that thanks: whoever comes to it without having paid is told so instead. */
export function UnlessUnpaid({ children }: { children: ReactNode }) {
  const query = useQuery();
  return (
    <>
      <UnpaidMark />
      {query && paymentVerdict(query) === "failed" ? <Unpaid query={query}>{children}</Unpaid> : children}
    </>
  );
}

/** In the server's HTML; whoever comes by the router brings no code of a provider's. */
export function UnpaidMark() {
  return useAlive() ? null : <script>{MARK_UNPAID}</script>;
}

function Unpaid({ query, children }: { query: URLSearchParams; children: ReactNode }) {
  const t = useTexts();
  const state = usePaymentReturn(query);
  // The provider knows better than the address.
  if (state.step === "paid") return children;
  return (
    <PaymentOutcome state={state} title={t("paymentReturn.failedTitle")} text={t("checkout.faults.paymentError")} />
  );
}
