import type { PurchaseTerms } from "~/features/payment/offer/product";
import type { StripeSettings } from "~/lib/payment/stripe";

/** `program` is sold to guests, who type name and address; the others to members. */
export type OneTimeKind = "program" | "soul" | "therapy";

/** Decides the destination after the payment. */
export type OneTimeRoute = "program" | "liveProgram" | "coachingNew" | "addition";

/** What one page sells once, and how, from its block and the renderer's settings. */
export interface OneTimeTerms extends PurchaseTerms {
  kind: OneTimeKind;
  route: OneTimeRoute;
  nextPage: string | null;
  successRedirect: string | null;
  /** False on pages that are shown without a redirect. */
  mayRedirect: boolean;
  therapyAppUrl: string | null;
  stripe: StripeSettings;
}
