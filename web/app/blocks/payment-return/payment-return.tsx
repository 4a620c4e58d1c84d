import { useEffect, useMemo, useState } from "react";
import { useLocation } from "react-router";
import { afterPayment } from "~/features/payment/navigation/destination";
import { usePostPaymentNavigation } from "~/features/payment/navigation/use-post-payment-navigation";
import { PaymentOutcome } from "~/features/payment/return/payment-outcome";
import { hidesContent } from "~/features/payment/return/return-state";
import { usePaymentReturn } from "~/features/payment/return/use-payment-return";
import { useUnpaidAttribute } from "~/features/payment/return/use-unpaid-attribute";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { useQuery } from "~/lib/browser/query";
import { resolveRedirect } from "~/lib/links/resolve-redirect";
import { localeOf } from "~/lib/locale";
import { type OpenPayment, openPayment } from "~/lib/payment/open-payment";
import { MARK_FAILURE_SCRIPT, paymentVerdict, readReturn } from "~/lib/payment/payment-return";
import { Button } from "~/ui/button/button";
import { ButtonLink } from "~/ui/button/button-link";
import { ContentButton } from "~/ui/button/content-button";
import type { BlockProps } from "../registry";

/** The outcome of a payment made on a provider's page. */
export default function PaymentReturn({ block }: BlockProps<"PaymentReturn">) {
  const t = useTexts();
  const query = useQuery();
  const state = usePaymentReturn(query);
  const next = useNext(query);
  const unknown = { title: t("paymentReturn.unknownTitle"), text: t("paymentReturn.unknown") };
  const texts = {
    asking: { title: block.checkingTitle ?? t("paymentReturn.checking"), text: null },
    unanswered: { title: t("paymentReturn.checking"), text: t("errors.network") },
    paid: { title: block.successTitle, text: block.successText },
    failed: { title: block.failureTitle, text: block.failureText ?? t("paymentReturn.failed") },
    declined: { title: block.failureTitle, text: t("paymentReturn.declined") },
    checking: { title: t("checkout.pendingTitle"), text: t("checkout.pending") },
    unknown,
    unconfirmed: unknown,
  };
  const step = state?.step ?? "asking";
  useUnpaidAttribute(query && hidesContent(state, paymentVerdict(query)));
  return (
    <>
      {!query && <script>{MARK_FAILURE_SCRIPT}</script>}
      <PaymentOutcome state={state} {...texts[step]}>
        {step === "paid" && next && <GoOn {...next} />}
        {(step === "unknown" || (step === "paid" && !next)) && block.action && (
          <ContentButton button={block.action} className="mt-8" />
        )}
      </PaymentOutcome>
    </>
  );
}

type Next = Pick<OpenPayment, "next" | "action">;

function GoOn({ next, action }: Next) {
  const t = useTexts();
  const go = usePostPaymentNavigation();
  const [isGoing, setGoing] = useState(false);
  const texts = t("paymentReturn.continue");
  if (!action) {
    return (
      <ButtonLink url={next} className="mt-8">
        {texts}
      </ButtonLink>
    );
  }
  const leave = () => {
    setGoing(true);
    void go(action);
  };
  return (
    <Button busy={isGoing} onClick={leave} className="mt-8">
      {texts}
    </Button>
  );
}

/** The destination of the payment page; null: unknown. */
function useNext(query: URLSearchParams | null): Next | null {
  const { pathname } = useLocation();
  const read = useMemo(() => query && readReturn(query), [query]);
  const redirectPage = read?.redirectPage;
  const [allowed, setAllowed] = useState<string | null>(null);

  useEffect(() => {
    if (!redirectPage) return;
    let isCurrent = true;
    void resolveRedirect("redirectPage", redirectPage).then((to) => isCurrent && setAllowed(to));
    return () => {
      isCurrent = false;
    };
  }, [redirectPage]);

  if (!query) return null;
  const open = openPayment();
  if (open) return open;
  if (!read?.isSpecialProgram) return allowed === null ? null : { next: allowed };
  const visit = { locale: localeOf(pathname), path: pathname, query, nextPage: null, therapyAppUrl: null };
  const destination = afterPayment(visit);
  return destination.kind === "page" ? { next: destination.url } : null;
}
