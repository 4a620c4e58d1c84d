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
  /** What stands there meanwhile; nothing: what is inside is drawn at once, and the provider comes to it. */
  fallback?: ReactNode;
  children: ReactNode;
}

/** What is inside has the provider's script once it is here; its absence is said and can be tried again. */
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
