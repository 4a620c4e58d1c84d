import type { Stripe } from "@stripe/stripe-js";
import { useEffect, useState } from "react";
import type { Locale } from "~/lib/locale";
import { type StripeSettings, stripeFor } from "~/lib/payment/stripe";

export function useStripeScript(settings: StripeSettings, locale: Locale) {
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
