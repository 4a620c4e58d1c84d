import { type Texts, useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Icon, type IconName } from "~/ui/icon/icon";
import { TrustedHtml } from "~/ui/prose/trusted-html";
import type { Day, OrderView } from "./order-view";

/** Where the summary stands beside the form. The order is only ever drawn in the browser, so it may look. */
const WIDE = "(width >= 64rem)";

interface OrderSummaryProps {
  order: OrderView;
  title: string;
  infoHtml: string | null;
}

/** Everything about the price before paying it: folded on phones with the total on top, open beside the form. */
export function OrderSummary({ order, title, infoHtml }: OrderSummaryProps) {
  const t = useTexts();
  return (
    <section aria-labelledby="order-summary" className="min-h-54 overflow-hidden rounded-card bg-mist">
      <h2 id="order-summary" className="sr-only">
        {t("checkout.summary")}
      </h2>
      <div className="p-5 md:p-8">
        <div className="flex items-baseline justify-between gap-4">
          <p className="text-lg font-bold">{title}</p>
          {order.periodMonths > 0 && (
            <p className="text-sm text-muted">{t("checkout.period", { count: order.periodMonths })}</p>
          )}
        </div>
        <details className="group mt-3 md:mt-5" open={window.matchMedia(WIDE).matches}>
          <summary className="flex min-h-11 list-none items-center gap-2 text-sm font-semibold text-action lg:hidden">
            {t("checkout.details")}
            <Icon name="chevron-down" className="size-4 transition duration-200 group-open:rotate-180" />
          </summary>
          <PriceLines order={order} />
          {infoHtml && <TrustedHtml html={infoHtml} className="prose mt-6 text-sm text-muted" />}
        </details>
        {order.timeline && <Timeline order={order} timeline={order.timeline} />}
        <dl className="mt-5 flex items-baseline justify-between gap-4 border-t border-hairline pt-5">
          <dt className="font-bold">{t("checkout.dueToday")}</dt>
          <dd className="money text-2xl font-semibold tracking-display">{order.dueToday}</dd>
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

interface TimelineProps {
  order: OrderView;
  timeline: NonNullable<OrderView["timeline"]>;
}

/** Never folded away: whoever begins a trial sees when it costs something. */
function Timeline({ order, timeline: { today, reminder, charge } }: TimelineProps) {
  const t = useTexts();
  const words = order.trialFee
    ? {
        title: t("checkout.howPaidTrial"),
        start: t("checkout.timelinePaidStart", { price: order.trialFee }),
        reminder: t("checkout.timelinePaidReminder", { date: charge.text }),
        charge: t("checkout.afterTrial"),
      }
    : {
        title: t("checkout.howTrial"),
        start: t("checkout.timelineStart"),
        reminder: t("checkout.timelineReminder", { date: charge.text }),
        charge: t("checkout.charge"),
      };
  const steps: { icon: IconName; title: string; date: Day; text: string }[] = [
    { icon: "unlock", title: t("checkout.today"), date: today, text: words.start },
    {
      icon: "bell",
      title: t("checkout.reminder"),
      date: reminder,
      text: words.reminder,
    },
    {
      icon: "card",
      title: words.charge,
      date: charge,
      text: t("checkout.timelineCharge", { price: order.price }),
    },
  ];
  return (
    <div className="mt-5">
      <h3 id="trial-timeline" className="text-sm font-bold">
        {words.title}
      </h3>
      <ol aria-labelledby="trial-timeline" className="mt-4">
        {steps.map((step) => (
          <li key={step.icon} className="group relative flex gap-3 pb-5 last:pb-0">
            <span className="absolute inset-y-0 start-[1.0625rem] w-px bg-field opacity-40 group-last:hidden" />
            <span className="relative grid size-9 shrink-0 place-items-center rounded-pill bg-card text-action shadow-rest">
              <Icon name={step.icon} className="size-4.5" />
            </span>
            <div className="grow text-sm">
              <p className="flex justify-between gap-3 font-bold">
                {step.title}{" "}
                <time dateTime={step.date.iso} className="shrink-0 font-semibold text-muted">
                  {step.date.text}
                </time>
              </p>
              <p className="text-muted">{step.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}
