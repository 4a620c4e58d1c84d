import { Elements } from "@stripe/react-stripe-js";
import type { Stripe } from "@stripe/stripe-js";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { type Locale, localeOf } from "~/lib/locale";
import { type StripeSettings, stripeFor, stripeLocale } from "~/lib/stripe";
import { Button } from "~/ui/button/button";
import { Notice } from "~/ui/notice/notice";
import type { CardHolder } from "./card-ports";
import type { OrderView } from "./order-view";
import { PayForm } from "./pay-form";
import { FormSkeleton } from "./skeletons";
import type { Consents } from "./terms";
import type { Checkout } from "./use-checkout";

export interface PayPanelProps {
  checkout: Checkout;
  order: OrderView;
  holder: CardHolder;
  consents: Consents;
  stripeSettings: StripeSettings;
  submitLabel: string | null;
}

/** The card form once the provider's script is here; its absence is said and can be tried again. */
export function PayPanel(props: PayPanelProps) {
  const t = useTexts();
  const locale = localeOf(useLocation().pathname);
  const { stripe, failed, retry } = useStripeScript(props.stripeSettings, locale);
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
  if (!stripe) return <FormSkeleton />;
  return (
    <Elements stripe={stripe} options={{ locale: stripeLocale(locale) }}>
      <PayForm {...props} />
    </Elements>
  );
}

function useStripeScript(settings: StripeSettings, locale: Locale) {
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (failed) return;
    let wanted = true;
    stripeFor(settings, locale).then(
      (loaded) => wanted && setStripe(loaded),
      () => wanted && setFailed(true),
    );
    return () => {
      wanted = false;
    };
  }, [settings, locale, failed]);
  return { stripe, failed, retry: () => setFailed(false) };
}
