import { useId } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Icon, type IconName } from "~/ui/icon/icon";
import type { Day, OrderView } from "./order-view";

interface TrialTimelineProps extends Pick<OrderView, "price" | "trialFee"> {
  timeline: NonNullable<OrderView["timeline"]>;
}

/** Always open, so that the date of the first charge is visible. */
export function TrialTimeline({ price, trialFee, timeline: { today, reminder, charge } }: TrialTimelineProps) {
  const t = useTexts();
  const id = useId();
  const texts = trialFee
    ? {
        title: t("checkout.howPaidTrial"),
        start: t("checkout.timelinePaidStart", { price: trialFee }),
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
    { icon: "unlock", title: t("checkout.today"), date: today, text: texts.start },
    {
      icon: "bell",
      title: t("checkout.reminder"),
      date: reminder,
      text: texts.reminder,
    },
    {
      icon: "card",
      title: texts.charge,
      date: charge,
      text: t("checkout.timelineCharge", { price }),
    },
  ];
  return (
    <div className="mt-5 grow">
      <h3 id={id} className="text-sm font-bold">
        {texts.title}
      </h3>
      <ol aria-labelledby={id} className="mt-4">
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
