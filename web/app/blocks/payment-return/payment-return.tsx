import { useEffect, useMemo, useState } from "react";
import { useLocation } from "react-router";
import { PaymentOutcome } from "~/features/checkout/payment-outcome";
import { afterPayment } from "~/features/checkout/redirect";
import { usePaymentReturn } from "~/features/checkout/use-payment-return";
import { useUnpaidMark } from "~/features/checkout/use-unpaid-mark";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { localeOf } from "~/lib/locale";
import { openPayment } from "~/lib/open-payment";
import { readReturn } from "~/lib/payment-return";
import { useQuery } from "~/lib/query";
import { askRedirect } from "~/lib/redirects";
import { ButtonLink } from "~/ui/button/button-link";
import { ContentButton } from "~/ui/button/content-button";
import type { BlockProps } from "../registry";

/** How a payment went that was finished elsewhere. */
export default function PaymentReturn({ block }: BlockProps<"PaymentReturn">) {
  const t = useTexts();
  const query = useQuery();
  const state = usePaymentReturn(query);
  const next = useNext(query);
  const texts = {
    asking: { title: block.checkingTitle ?? t("paymentReturn.checking"), text: null },
    paid: { title: block.successTitle, text: block.successText },
    failed: { title: block.failureTitle, text: block.failureText ?? t("paymentReturn.failed") },
    checking: { title: t("checkout.pendingTitle"), text: t("checkout.pending") },
    unknown: { title: t("paymentReturn.unknownTitle"), text: t("paymentReturn.unknown") },
  };
  const step = state?.step ?? "asking";
  useUnpaidMark(query && step === "failed");
  return (
    <PaymentOutcome state={state} {...texts[step]}>
      {step === "paid" && next && (
        <ButtonLink url={next} className="mt-8">
          {t("paymentReturn.continue")}
        </ButtonLink>
      )}
      {(step === "unknown" || (step === "paid" && !next)) && block.action && (
        <ContentButton button={block.action} className="mt-8" />
      )}
    </PaymentOutcome>
  );
}

/** Where the payment page would have led, had it been paid there; null: nobody knows. */
function useNext(query: URLSearchParams | null): string | null {
  const { pathname } = useLocation();
  const read = useMemo(() => query && readReturn(query), [query]);
  const redirectPage = read?.redirectPage;
  const [allowed, setAllowed] = useState<string | null>(null);

  useEffect(() => {
    if (!redirectPage) return;
    let wanted = true;
    void askRedirect("redirectPage", redirectPage).then((to) => wanted && setAllowed(to));
    return () => {
      wanted = false;
    };
  }, [redirectPage]);

  if (!query) return null;
  const open = openPayment();
  if (open) return open.next;
  if (!read?.isSpecialProgram) return allowed;
  const visit = { locale: localeOf(pathname), path: pathname, query, nextPage: null, therapyAppUrl: null };
  const destination = afterPayment(visit);
  return destination.kind === "page" ? destination.url : null;
}
