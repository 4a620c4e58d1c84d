import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import type { OrderView } from "./order-view";

/** What one agrees to by pressing the button, beside the button. */
export function RenewalTerms({ order }: { order: OrderView }) {
  const t = useTexts();
  const renewal = t("checkout.renewal", { count: order.periodMonths, price: order.price });
  return (
    <p className="text-center text-balance text-2xs text-muted">
      {order.timeline
        ? t("checkout.termsTrial", { renewal, date: order.timeline.charge })
        : t("checkout.terms", { renewal })}
    </p>
  );
}
