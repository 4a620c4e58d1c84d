import type { Campaign } from "~/features/payment/offer/offer";
import type { Locale } from "~/lib/locale";

/** What is paid by an intent made beforehand: the week of a trial, or something for good. */
export type IntentKind = "trial" | "lifetime";

interface PageTerms {
  transactionType: string;
  locale: Locale;
}

/** Null: the subscription is created first, then confirmed. What is sold for good cannot be subscribed to, whatever its page says. */
export function intentKind(campaign: Campaign, { transactionType, locale }: PageTerms): IntentKind | null {
  if (campaign.has_trial_price) return "trial";
  const isLifetime = campaign.kind === "lifetime" || (transactionType === "lifetime" && locale === "ru");
  return isLifetime ? "lifetime" : null;
}
