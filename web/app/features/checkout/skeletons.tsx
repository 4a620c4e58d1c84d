import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";

/** The shapes of what is coming, in the place it will stand. */

interface FormSkeletonProps {
  /** Who pays is asked as well. */
  asksWho?: boolean;
}

export function FormSkeleton({ asksWho = false }: FormSkeletonProps) {
  const t = useTexts();
  return (
    <div role="status" className="rounded-card bg-card p-5 shadow-raised md:p-8">
      <span className="sr-only">{t("checkout.loading")}</span>
      {asksWho && (
        <>
          <div className="skeleton mt-8 h-12" />
          <div className="skeleton mt-13 mb-6 h-12" />
        </>
      )}
      <div className="skeleton h-7 w-40" />
      <div className="skeleton mt-6 h-5 w-56" />
      <div className="skeleton mt-8 h-12" />
      <div className="mt-10 grid grid-cols-2 gap-4">
        <div className="skeleton h-12" />
        <div className="skeleton h-12" />
      </div>
      <div className="skeleton mt-8 h-12 rounded-pill" />
      <div className="skeleton mx-auto mt-5 h-4 w-48" />
    </div>
  );
}

export function SummarySkeleton() {
  return (
    <div aria-hidden="true" className="min-h-54 rounded-card bg-mist p-5 md:p-8">
      <div className="skeleton h-6 w-32 bg-card" />
      <div className="skeleton mt-8 h-5 bg-card" />
      <div className="skeleton mt-3 h-5 w-3/4 bg-card" />
      <div className="skeleton mt-8 h-9 bg-card" />
    </div>
  );
}
