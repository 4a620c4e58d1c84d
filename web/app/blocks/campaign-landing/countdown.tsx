import { useCountdown } from "~/lib/browser/countdown";
import { clockText } from "~/lib/format/clock-text";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Icon } from "~/ui/icon/icon";

interface CountdownProps {
  label: string | null;
  seconds: number;
}

/** Announced on demand only, not every second. */
export function Countdown({ label, seconds }: CountdownProps) {
  const t = useTexts();
  const left = useCountdown(seconds);
  return (
    <div className="mb-8 flex items-center justify-between gap-4 rounded-field bg-mist px-4 py-3">
      <span className="flex items-center gap-2.5 text-sm font-semibold">
        <Icon name="clock" className="text-action" />
        {label ?? t("campaign.timeLeft")}
      </span>
      <span role="timer" dir="ltr" className="money text-xl font-bold text-action">
        {clockText(left)}
      </span>
    </div>
  );
}
