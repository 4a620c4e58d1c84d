import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Button } from "~/ui/button/button";
import { Icon } from "~/ui/icon/icon";

interface SavedCardProps {
  last4: string;
  isUsed: boolean;
  onChange: (isUsed: boolean) => void;
  /** While a payment is running. */
  isDisabled: boolean;
}

/** The member's saved card, and a button to use another. */
export function SavedCard({ last4, isUsed, onChange, isDisabled }: SavedCardProps) {
  const t = useTexts();
  if (!isUsed) {
    return (
      <div className="mb-5">
        <Button size="compact" variant="secondary" disabled={isDisabled} onClick={() => onChange(true)}>
          {t("oneTime.useKept")} <bdi dir="ltr">•••• {last4}</bdi>
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-field border border-field py-2 ps-4 pe-2">
      <p className="flex items-center gap-3 font-semibold">
        <Icon name="card" className="text-action" />
        <span className="sr-only">{t("oneTime.keptCard")}</span>
        <bdi dir="ltr">•••• {last4}</bdi>
      </p>
      <Button size="compact" variant="secondary" disabled={isDisabled} onClick={() => onChange(false)}>
        {t("oneTime.change")} <bdi className="sr-only">•••• {last4}</bdi>
      </Button>
    </div>
  );
}
