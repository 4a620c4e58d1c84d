import { useMemo, useState } from "react";
import { useLocation } from "react-router";
import { LoadingOverlay } from "~/features/payment/form/loading-overlay";
import { OfferUnavailable, SignUpRequired } from "~/features/payment/form/offer-unavailable";
import { StripeGate } from "~/features/payment/form/stripe-gate";
import { useRetryFocus } from "~/features/payment/form/use-retry-focus";
import { OrderSummary } from "~/features/payment/order/order-summary";
import { viewOrder } from "~/features/payment/order/order-view";
import { SummarySkeleton } from "~/features/payment/order/skeletons";
import { localeOf } from "~/lib/locale";
import type { CardHolder } from "~/lib/payment/card";
import { useSession } from "~/lib/session/session";
import type { ConsentLabels } from "~/ui/consent-boxes/consent-boxes";
import { OneTimeForm } from "./form/one-time-form";
import { offerOf } from "./state";
import type { OneTimeTerms } from "./terms";
import { useOneTime } from "./use-one-time";

export interface OneTimeCheckoutProps {
  /** Title of the order summary. */
  product: string;
  terms: OneTimeTerms;
  consents: ConsentLabels;
  submitLabel: string | null;
}

/** The form is the same for everyone, so it is drawn from the start and enabled when the price is loaded. */
export function OneTimeCheckout({ product, terms, consents, submitLabel }: OneTimeCheckoutProps) {
  const session = useSession();
  const [typed, setTyped] = useState<CardHolder | null>(null);
  const known = session.state === "member" ? { name: session.user.fullName, email: session.user.email } : UNKNOWN_BUYER;
  const buyer = typed ?? known;
  const checkout = useOneTime(terms, buyer);
  const { state } = checkout;
  const { container, retry } = useRetryFocus(checkout.retry, state.step !== "loading");
  const locale = localeOf(useLocation().pathname);
  const campaign = offerOf(state)?.campaign ?? null;
  const order = useMemo(() => campaign && viewOrder(campaign, locale, new Date()), [campaign, locale]);

  if (state.step === "visitor") return <SignUpRequired message={state.message} stay={!terms.mayRedirect} />;
  if (state.step === "unavailable") return <OfferUnavailable container={container} code={state.code} onRetry={retry} />;
  // An ended price is hidden while its form stays.
  const isShown = order && state.step !== "loading";
  return (
    <div className="checkout-columns">
      {terms.kind !== "program" && <LoadingOverlay isLoading={state.step === "loading"} />}
      <aside>{isShown ? <OrderSummary order={order} title={product} /> : <SummarySkeleton title={product} />}</aside>
      <div ref={container} tabIndex={-1} className="outline-none">
        <StripeGate settings={terms.stripe}>
          <OneTimeForm
            checkout={checkout}
            kind={terms.kind}
            order={order}
            consents={consents}
            submitLabel={submitLabel}
            buyer={buyer}
            onBuyer={setTyped}
          />
        </StripeGate>
      </div>
    </div>
  );
}

const UNKNOWN_BUYER: CardHolder = { name: "", email: "" };
