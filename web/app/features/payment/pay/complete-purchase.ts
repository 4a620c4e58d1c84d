import { track } from "~/lib/analytics";
import { currentUser } from "~/lib/session/session";
import { createSurveyPlaylist, reportOrderPaid } from "~/lib/survey/survey-order";
import type { Campaign } from "../offer/offer";
import { isCoaching, type PurchaseTerms, productFields } from "../offer/product";

/** Reports a paid purchase to analytics. */
export function trackPurchase(terms: PurchaseTerms, campaign: Campaign): void {
  track("purchase", productFields(terms, campaign));
  if (terms.leanplum) track("leanplum", terms.leanplum);
}

/** Finishes what a paid purchase continues: the survey's order and its playlist. */
export async function completePurchase(terms: PurchaseTerms, campaign: Campaign): Promise<void> {
  if (isCoaching(terms, campaign)) await reportOrderPaid("follow-up", currentUser());
  await createSurveyPlaylist();
}
