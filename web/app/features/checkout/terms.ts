import type { StripeSettings } from "~/lib/stripe";

/** What one payment page sells and how: from its block and the renderer's settings. */
export interface CheckoutTerms {
  campaign: string;
  couponCode: string | null;
  product: { id: string; name: string; category: string };
  nextPage: string | null;
  /** False on pages a visitor may look at without an account. */
  redirectVisitors: boolean;
  therapyAppUrl: string | null;
  redirectHosts: readonly string[];
  stripe: StripeSettings;
}

/** Boxes to tick before paying. */
export interface Consents {
  terms: boolean;
  gdpr: boolean;
}
