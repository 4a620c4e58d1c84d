import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/subscription";

/** Skeleton of plan, card and receipts, taller than the first screen. */
export function Skeleton({ className }: { className?: string }) {
  const t = useTexts();
  return (
    <div role="status" className={`min-h-[40rem] space-y-8 ${className ?? ""}`}>
      <span className="sr-only">{t("subscription.loading")}</span>
      <div className="skeleton h-64 rounded-card" />
      <div className="skeleton h-28 rounded-card" />
      <div className="skeleton h-28 rounded-card" />
    </div>
  );
}
