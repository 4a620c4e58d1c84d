import { useEffect, useMemo } from "react";
import { Navigate, useLocation } from "react-router";
import { LoadingOverlay } from "~/features/payment/form/loading-overlay";
import { OfferUnavailable, SignUpRequired } from "~/features/payment/form/offer-unavailable";
import { useRetryFocus } from "~/features/payment/form/use-retry-focus";
import { labelUnlessTrialUsed } from "~/features/payment/order/order-label";
import { OrderSummary } from "~/features/payment/order/order-summary";
import { viewOrder } from "~/features/payment/order/order-view";
import { FormContainer, FormSkeleton, SummaryPlaceholder, SummarySkeleton } from "~/features/payment/order/skeletons";
import { loadScript } from "~/lib/browser/load-script";
import { warmUpNumberFormat } from "~/lib/format/money";
import { localeOf } from "~/lib/locale";
import { stripeFor } from "~/lib/payment/stripe";
import { useSession } from "~/lib/session/session";
import { PayPanel, type PayPanelProps } from "./form/pay-panel";
import { PayStatus } from "./form/pay-status";
import { PendingNotice } from "./form/pending-notice";
import { campaignOf } from "./state";
import type { CheckoutTerms, Consents } from "./terms";
import { useCheckout } from "./use-checkout";
import { yookassaPlatronOffer } from "./yookassa-platron/yookassa-platron";
import { YookassaPlatronPanel } from "./yookassa-platron/yookassa-platron-panel";

export interface CheckoutProps {
  /** Title of the order summary. */
  product: string;
  terms: CheckoutTerms;
  consents: Consents;
  submitLabel: string | null;
}

export function Checkout({ product, terms, consents, submitLabel }: CheckoutProps) {
  const controller = useCheckout(terms);
  const { state } = controller;
  const isOfferReady = state.step !== "loading" && state.step !== "creatingIntent";
  const { container, retry } = useRetryFocus(controller.retry, isOfferReady);
  const checkout = { ...controller, retry };
  const locale = localeOf(useLocation().pathname);
  const session = useSession();
  const campaign = campaignOf(state);
  const order = useMemo(() => campaign && viewOrder(campaign, locale, new Date()), [campaign, locale]);

  // In a task of its own, while the offer loads.
  useEffect(() => {
    const ready = setTimeout(() => warmUpNumberFormat(locale));
    return () => clearTimeout(ready);
  }, [locale]);

  // Stripe's script loads while the offer loads.
  useEffect(() => {
    void stripeFor(terms.stripe, locale).catch(() => undefined);
  }, [terms.stripe, locale]);

  // Only Russian pages preload YooKassa's script; other pages load it when it is chosen.
  useEffect(() => {
    if (locale === "ru" && terms.yookassaWidgetUrl) void loadScript(terms.yookassaWidgetUrl).catch(() => undefined);
  }, [terms.yookassaWidgetUrl, locale]);

  if (state.step === "visitor") return <SignUpRequired message={state.message} stay={!terms.mayRedirect} />;
  if (state.step === "therapyMember") return <Navigate to={state.memberHome} replace />;
  if (state.step === "unavailable") return <OfferUnavailable container={container} code={state.code} onRetry={retry} />;
  const hasTrial = terms.product.freeTrialPeriod !== "";
  const holder = session.state === "member" ? { name: session.user.fullName, email: session.user.email } : null;
  return (
    <div className="checkout-columns">
      <LoadingOverlay isLoading={state.step === "loading"} />
      <aside className="grid grid-cols-1 *:[grid-area:1/1]">
        {hasTrial && order?.timeline && <SummaryPlaceholder title={product} />}
        {order ? (
          <OrderSummary order={order} title={product} />
        ) : (
          <SummarySkeleton title={product} hasTrial={hasTrial} />
        )}
      </aside>
      <FormContainer container={container} hasTrial={hasTrial} submitLabel={submitLabel}>
        {order && holder && isOfferReady ? (
          <PaymentArea
            checkout={checkout}
            order={order}
            holder={holder}
            consents={consents}
            terms={terms}
            submitLabel={labelUnlessTrialUsed(submitLabel, hasTrial, order)}
          />
        ) : (
          <FormSkeleton isAnnounced hasTrial={hasTrial} submitLabel={submitLabel} />
        )}
      </FormContainer>
    </div>
  );
}

/** The payment form that fits the state: card, YooKassa and Platron, or the notice of an unconfirmed payment. */
function PaymentArea(props: PayPanelProps) {
  const { checkout, terms } = props;
  const { state } = checkout;
  if (state.step === "unconfirmed") return <PendingNotice isPaypal={state.payment.kind === "approval"} />;
  if (state.step === "providerChoice" || state.step === "yookassaWidget") {
    return <YookassaPlatronPanel {...props} state={state} widgetUrl={terms.yookassaWidgetUrl} />;
  }
  // After a YooKassa or Platron payment no card form flashes before the next page.
  if (state.step === "paid" && yookassaPlatronOffer(state.campaign, "")) return <PayStatus checkout={checkout} />;
  return <PayPanel {...props} />;
}
