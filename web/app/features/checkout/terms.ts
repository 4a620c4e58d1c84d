import type { PurchaseTerms } from "~/features/payment/offer/product";
import type { StripeSettings } from "~/lib/payment/stripe";
import type { ProviderSettings } from "~/lib/social";

/** What one payment page sells and how, from its block and the renderer's settings. */
export interface CheckoutTerms extends PurchaseTerms {
  nextPage: string | null;
  /** False on pages that are shown without a redirect: to visitors and to members in therapy. */
  mayRedirect: boolean;
  therapyAppUrl: string | null;
  stripe: StripeSettings;
  /** Null: PayPal is not offered. */
  paypal: ProviderSettings | null;
  /** The wallets' name of the product. Empty: the offer's own name. Null: wallets are not offered. */
  walletLabel: string | null;
  /** YooKassa's script; null: its form is not offered. */
  yookassaWidgetUrl: string | null;
}

/** Boxes to tick before paying: HTML from content, `true` for our own text, `false` for no box. */
export interface Consents {
  terms: string | boolean;
  gdpr: string | boolean;
}

/** The ticked boxes. */
export interface AgreedConsents {
  terms: boolean;
  gdpr: boolean;
}
