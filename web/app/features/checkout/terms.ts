import type { PurchaseTerms } from "~/features/payment/offer/product";
import type { StripeSettings } from "~/lib/payment/stripe";
import type { ProviderSettings } from "~/lib/social";

/** What one payment page sells and how: from its block and the renderer's settings. */
export interface CheckoutTerms extends PurchaseTerms {
  nextPage: string | null;
  /** False on pages that anybody may look at: without an account, or in therapy. */
  mayRedirect: boolean;
  therapyAppUrl: string | null;
  stripe: StripeSettings;
  /** Null: PayPal is not offered. */
  paypal: ProviderSettings | null;
  /** What wallets call the thing; empty: the offer's own name. Null: wallets are not offered. */
  walletLabel: string | null;
  /** YooKassa's script; null: its form is not offered. */
  yookassaWidgetUrl: string | null;
}

/** Boxes to tick before paying: in content's words, which are HTML, in ours, or none. */
export interface Consents {
  terms: string | boolean;
  gdpr: string | boolean;
}

/** Those that are ticked. */
export interface AgreedConsents {
  terms: boolean;
  gdpr: boolean;
}
