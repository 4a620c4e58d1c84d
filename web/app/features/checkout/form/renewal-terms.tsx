import { type Texts, useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import type { OrderView } from "~/features/payment/order/order-view";

/** The terms that the button accepts, right above it. */
export function RenewalTerms({ order }: { order: OrderView }) {
  const t = useTexts();
  if (order.isOneTime) return <p className="text-pretty text-sm">{t("checkout.termsOnce", { price: order.price })}</p>;
  const renewal = t("checkout.renewal", { count: order.periodMonths, price: order.price });
  return <p className="text-pretty text-sm">{trialTerms(t, order, renewal) ?? t("checkout.terms", { renewal })}</p>;
}

function trialTerms(t: Texts, { timeline, trialFee }: OrderView, renewal: string): string | null {
  if (!timeline) return null;
  const date = timeline.charge.text;
  return trialFee
    ? t("checkout.termsPaidTrial", { fee: trialFee, renewal, date })
    : t("checkout.termsTrial", { renewal, date });
}
