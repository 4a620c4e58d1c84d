import { Elements } from "@stripe/react-stripe-js";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { localeOf } from "~/lib/locale";
import { type StripeSettings, stripeLocale } from "~/lib/payment/stripe";
import { Button } from "~/ui/button/button";
import { useStripeScript } from "~/ui/card-fields/use-stripe-script";
import { Notice } from "~/ui/notice/notice";

interface StripeGateProps {
  settings: StripeSettings;
  /** Shown while Stripe loads. Without it the children are drawn at once and Stripe is added later. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** Loads Stripe's script for its children; a failure shows a retry button. */
export function StripeGate({ settings, fallback, children }: StripeGateProps) {
  const t = useTexts();
  const locale = localeOf(useLocation().pathname);
  const { stripe, failed, retry } = useStripeScript(settings, locale);
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
  if (!stripe && fallback) return fallback;
  return (
    <Elements stripe={stripe} options={{ locale: stripeLocale(locale) }}>
      {children}
    </Elements>
  );
}
