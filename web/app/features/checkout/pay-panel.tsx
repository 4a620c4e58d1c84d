import { Elements } from "@stripe/react-stripe-js";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import type { CardHolder } from "~/lib/card";
import { localeOf } from "~/lib/locale";
import { stripeLocale } from "~/lib/stripe";
import { Button } from "~/ui/button/button";
import { useStripeScript } from "~/ui/card-fields/use-stripe-script";
import { Notice } from "~/ui/notice/notice";
import type { OrderView } from "./order-view";
import { PayForm } from "./pay-form";
import { FormSkeleton } from "./skeletons";
import { campaignOf } from "./state";
import type { CheckoutTerms, Consents } from "./terms";
import type { Checkout } from "./use-checkout";
import { useWays } from "./use-ways";

export interface PayPanelProps {
  checkout: Checkout;
  order: OrderView;
  holder: CardHolder;
  consents: Consents;
  terms: CheckoutTerms;
  submitLabel: string | null;
}

/** The ways to pay once the provider's script is here; its absence is said and can be tried again. */
export function PayPanel(props: PayPanelProps) {
  const t = useTexts();
  const locale = localeOf(useLocation().pathname);
  const { stripe, failed, retry } = useStripeScript(props.terms.stripe, locale);
  const ways = useWays(stripe, campaignOf(props.checkout.state), props.terms);
  if (failed) {
    return (
      <div className="space-y-6">
        <Notice tone="danger">
          <p>{t("checkout.providerMissing")}</p>
        </Notice>
        <Button onClick={retry}>{t("errors.retry")}</Button>
      </div>
    );
  }
  if (!stripe || ways.layout === "waiting") return <FormSkeleton />;
  return (
    <Elements stripe={stripe} options={{ locale: stripeLocale(locale) }}>
      <PayForm {...props} ways={ways} />
    </Elements>
  );
}
