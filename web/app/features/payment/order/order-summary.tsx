import { type Texts, useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Icon } from "~/ui/icon/icon";
import type { OrderView } from "./order-view";
import { TrialTimeline } from "./trial-timeline";

/** The summary is beside the form. The order is drawn in the browser only, so it may read the viewport. */
const WIDE_SCREEN = "(width >= 64rem)";

/** One line on the smallest phones too, for currencies with letters: its height is known before the amount. */
export const TOTAL_ROW = "mt-5 flex items-baseline justify-between gap-4 border-t border-hairline pt-5";
export const TOTAL_NAME = "font-bold max-[24rem]:text-sm";
export const TOTAL_AMOUNT = "text-2xl max-[24rem]:text-xl";

interface OrderSummaryProps {
  order: OrderView;
  title: string;
}

/** The price details: collapsed on phones with the total on top, open beside the form. */
export function OrderSummary({ order, title }: OrderSummaryProps) {
  const t = useTexts();
  return (
    <section aria-labelledby="order-summary" className="flex min-h-54 flex-col overflow-hidden rounded-card bg-mist">
      <h2 id="order-summary" className="sr-only">
        {t("checkout.summary")}
      </h2>
      <div className="flex grow flex-col p-5 md:p-8">
        <div className="flex items-baseline justify-between gap-4">
          <p className="text-lg font-bold">{title}</p>
          {order.periodMonths > 0 && (
            <p className="whitespace-nowrap text-sm text-muted">
              {t("checkout.period", { count: order.periodMonths })}
            </p>
          )}
        </div>
        <details className="group mt-3 md:mt-5" open={window.matchMedia(WIDE_SCREEN).matches}>
          <summary className="flex min-h-11 list-none items-center gap-2 text-sm font-semibold text-action lg:hidden">
            {t("checkout.details")}
            <Icon name="chevron-down" className="size-4 transition duration-200 group-open:rotate-180" />
          </summary>
          <PriceLines order={order} />
        </details>
        {order.timeline && <TrialTimeline {...order} timeline={order.timeline} />}
        <dl className={TOTAL_ROW}>
          <dt className={TOTAL_NAME}>{t("checkout.dueToday")}</dt>
          <dd className={`money whitespace-nowrap font-semibold tracking-display ${TOTAL_AMOUNT}`}>{order.dueToday}</dd>
        </dl>
      </div>
    </section>
  );
}

function PriceLines({ order }: { order: OrderView }) {
  const t = useTexts();
  return (
    <dl className="money space-y-2.5 text-sm">
      <Line name={t("checkout.listPrice")} value={order.list ?? order.price} />
      {order.saving && (
        <Line
          name={t("checkout.saving", { percent: order.savingRate })}
          value={`\u2212${order.saving}`}
          className="font-semibold text-success"
        />
      )}
      {order.trialDays > 0 && (
        <>
          <Line name={trialName(t, order)} value={order.dueToday} />
          <Line name={t("checkout.afterTrial")} value={order.price} />
        </>
      )}
    </dl>
  );
}

function trialName(t: Texts, { trialFee, trialDays, timeline }: OrderView): string {
  if (trialFee && timeline) return t("checkout.trialPeriod", { date: timeline.charge.text });
  return t("checkout.trial", { count: trialDays });
}

function Line({ name, value, className }: { name: string; value: string; className?: string }) {
  return (
    <div className={`flex justify-between gap-4 ${className ?? ""}`}>
      <dt className={className ? "" : "text-muted"}>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
