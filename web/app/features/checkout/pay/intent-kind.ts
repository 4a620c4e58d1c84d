import type { Campaign } from "~/features/payment/offer/offer";
import type { Locale } from "~/lib/locale";

/** What is paid by an intent created beforehand: a paid trial or a lifetime purchase. */
export type IntentKind = "trial" | "lifetime";

interface PageTerms {
  transactionType: string;
  locale: Locale;
}

/** Null: the subscription is created first, then confirmed. A lifetime offer overrules the page's transaction type. */
export function intentKind(campaign: Campaign, { transactionType, locale }: PageTerms): IntentKind | null {
  if (campaign.has_trial_price) return "trial";
  const isLifetime = campaign.kind === "lifetime" || (transactionType === "lifetime" && locale === "ru");
  return isLifetime ? "lifetime" : null;
}
