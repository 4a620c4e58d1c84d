import { useTexts } from "~/lib/i18n";
import type { PriceView } from "../presenting/offer-view.server";

interface PlanPriceProps {
  price: PriceView | null;
  label: string | null;
}

/** Never empty: shows a placeholder while the price is unknown. */
export function PlanPrice({ price, label }: PlanPriceProps) {
  return price ? <Price price={price} label={label} /> : <PriceLater />;
}

function Price({ price, label }: { price: PriceView; label: string | null }) {
  const t = useTexts();
  return (
    <span className="mt-6 block">
      {label && <span className="block text-2xs font-semibold text-muted">{label}</span>}
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="money text-3xl font-semibold tracking-display">{price.headline}</span>
        {price.headlineSuffix && <span className="text-sm text-muted">{price.headlineSuffix}</span>}
        {price.list && (
          <s className="money text-sm text-muted">
            <span className="sr-only">{t("plans.listPrice")} </span>
            {price.list}
            {price.listSuffix && ` ${price.listSuffix}`}
          </s>
        )}
        {price.saving && (
          <span className="rounded-pill bg-success-tint px-2.5 py-0.5 text-2xs font-bold text-success">
            {t("plans.save", { percent: price.saving })}
          </span>
        )}
      </span>
      {(price.trialDays > 0 || price.total !== price.headline) && (
        <span className="mt-2 block text-sm text-muted">
          {price.trialDays > 0 && <>{t("plans.trial", { count: price.trialDays })} </>}
          {t("plans.billed", { count: price.periodMonths, price: price.total })}
        </span>
      )}
    </span>
  );
}

function PriceLater() {
  const t = useTexts();
  return <span className="mt-6 block text-sm text-muted">{t("plans.priceLater")}</span>;
}
