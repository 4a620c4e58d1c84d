import type { Stripe, StripeElementLocale } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { loadScript } from "../browser/load-script";
import type { Locale } from "../locale";

export interface StripeSettings {
  publishableKey: string;
  /** Defines `window.Stripe`; null: Stripe's own script. */
  scriptUrl: string | null;
}

let loading: Promise<Stripe> | null = null;

/** Loads Stripe's script once. A failure is not cached, so that a retry loads it again. */
export function stripeFor(settings: StripeSettings, locale: Locale): Promise<Stripe> {
  loading ??= open(settings, locale).catch((fault: unknown) => {
    loading = null;
    throw fault;
  });
  return loading;
}

async function open({ publishableKey, scriptUrl }: StripeSettings, locale: Locale): Promise<Stripe> {
  if (scriptUrl) await loadScript(scriptUrl);
  const stripe = await loadStripe(publishableKey, { locale: stripeLocale(locale) });
  if (!stripe) throw new Error("Stripe is not available here");
  return stripe;
}

export function stripeLocale(locale: Locale): StripeElementLocale {
  if (locale === "az") return "auto";
  return locale === "pt" ? "pt-BR" : locale;
}
