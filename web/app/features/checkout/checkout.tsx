import { useEffect, useMemo } from "react";
import { Navigate, useLocation } from "react-router";
import { localeOf } from "~/lib/locale";
import { useSession } from "~/lib/session";
import { stripeFor } from "~/lib/stripe";
import { SendToSignUp, Unavailable } from "./no-offer";
import { viewOrder } from "./order-view";
import { PayPanel } from "./pay-panel";
import { FormSkeleton, SummarySkeleton } from "./skeletons";
import { campaignOf } from "./state";
import { OrderSummary } from "./summary";
import type { CheckoutTerms, Consents } from "./terms";
import { useCheckout } from "./use-checkout";

export interface CheckoutProps {
  title: string;
  terms: CheckoutTerms;
  consents: Consents;
  priceLabel: string | null;
  submitLabel: string | null;
  infoHtml: string | null;
}

export function Checkout({ title, terms, consents, priceLabel, submitLabel, infoHtml }: CheckoutProps) {
  const checkout = useCheckout(terms);
  const { state } = checkout;
  const locale = localeOf(useLocation().pathname);
  const session = useSession();
  const campaign = campaignOf(state);
  const order = useMemo(() => campaign && viewOrder(campaign, locale, new Date()), [campaign, locale]);

  // The script is on its way while the offer is still being asked for.
  useEffect(() => {
    void stripeFor(terms.stripe, locale).catch(() => undefined);
  }, [terms.stripe, locale]);

  if (state.step === "visitor") return <SendToSignUp message={state.message} stay={!terms.mayRedirect} />;
  if (state.step === "inTherapy") return <Navigate to={state.place} replace />;
  if (state.step === "unavailable") return <Unavailable code={state.code} onRetry={checkout.retry} />;
  const holder = session.state === "member" ? { name: session.user.fullName, email: session.user.email } : null;
  return (
    <div className="checkout-columns">
      <aside>
        {order ? <OrderSummary order={order} title={priceLabel ?? title} infoHtml={infoHtml} /> : <SummarySkeleton />}
      </aside>
      <div>
        {order && holder ? (
          <PayPanel
            checkout={checkout}
            order={order}
            holder={holder}
            consents={consents}
            stripeSettings={terms.stripe}
            submitLabel={submitLabel}
          />
        ) : (
          <FormSkeleton />
        )}
      </div>
    </div>
  );
}
