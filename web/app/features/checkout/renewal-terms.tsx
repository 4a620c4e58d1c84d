import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import type { OrderView } from "./order-view";

/** What one agrees to by pressing the button, right above the button. */
export function RenewalTerms({ order }: { order: OrderView }) {
  const t = useTexts();
  const renewal = t("checkout.renewal", { count: order.periodMonths, price: order.price });
  return (
    <p className="text-pretty text-sm">
      {order.timeline
        ? t("checkout.termsTrial", { renewal, date: order.timeline.charge.text })
        : t("checkout.terms", { renewal })}
    </p>
  );
}
