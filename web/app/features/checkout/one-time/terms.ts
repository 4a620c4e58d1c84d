import type { StripeSettings } from "~/lib/stripe";
import type { Product } from "../terms";

/** `program` is sold to anybody, who says name and address; the others to members, who are known. */
export type OneTimeKind = "program" | "soul" | "therapy";

/** Decides where a buyer goes afterwards. */
export type OneTimeRoute = "program" | "liveProgram" | "coachingNew" | "addition";

/** What one page sells once, and how: from its block and the renderer's settings. */
export interface OneTimeTerms {
  kind: OneTimeKind;
  route: OneTimeRoute;
  campaign: string;
  couponCode: string | null;
  product: Product;
  /** An attribute of buyers, as the block names it. */
  leanplum: { key: string; value: string } | null;
  nextPage: string | null;
  successRedirect: string | null;
  /** False on pages that anybody may look at. */
  mayRedirect: boolean;
  therapyAppUrl: string | null;
  stripe: StripeSettings;
}
