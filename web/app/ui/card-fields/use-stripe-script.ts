import type { Stripe } from "@stripe/stripe-js";
import { useEffect, useState } from "react";
import type { Locale } from "~/lib/locale";
import { type StripeSettings, stripeFor } from "~/lib/payment/stripe";

export function useStripeScript(settings: StripeSettings, locale: Locale) {
  const [stripe, setStripe] = useState<Stripe | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (failed) return;
    let isCurrent = true;
    stripeFor(settings, locale).then(
      (loaded) => isCurrent && setStripe(loaded),
      () => isCurrent && setFailed(true),
    );
    return () => {
      isCurrent = false;
    };
  }, [settings, locale, failed]);
  return { stripe, failed, retry: () => setFailed(false) };
}
