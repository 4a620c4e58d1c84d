import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon/icon";
import type { PlanPriceView, PlanView } from "./present.server";

interface PlanCardProps {
  plan: PlanView;
  value: number;
  group: string;
  checked: boolean;
  onSelect: (value: number) => void;
}

/** A radio button the size of a card. */
export function PlanCard({ plan, value, group, checked, onSelect }: PlanCardProps) {
  return (
    <label
      data-card
      className="group relative flex flex-col rounded-card border-2 border-transparent bg-card p-6 shadow-raised transition duration-200 ease-enter hover:border-hairline has-checked:border-action has-checked:bg-mist has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-action md:p-8"
    >
      <input
        type="radio"
        name={group}
        value={value}
        checked={checked}
        onChange={() => onSelect(value)}
        className="sr-only"
      />
      {plan.badge && (
        <span className="absolute -top-3.5 start-6 rounded-pill bg-action px-3 py-1 text-2xs font-bold text-on-action md:start-8">
          {plan.badge}
        </span>
      )}
      <span className="flex items-start justify-between gap-4">
        <span>
          <span className="display block text-xl">{plan.title}</span>
          {plan.description && <span className="mt-1 block text-sm text-muted">{plan.description}</span>}
        </span>
        <Tick />
      </span>
      {plan.price ? <Price price={plan.price} label={plan.label} /> : <PriceLater />}
      {plan.features.length > 0 && (
        <ul className="mt-5 space-y-2 border-t border-hairline pt-5 text-sm">
          {plan.features.map((feature) => (
            <li key={feature} className="flex gap-2.5">
              <Icon name="check" className="mt-px text-action" />
              {feature}
            </li>
          ))}
        </ul>
      )}
    </label>
  );
}

function Tick() {
  return (
    <span className="grid size-6 shrink-0 place-items-center rounded-pill border-2 border-field text-transparent transition duration-200 group-has-checked:border-action group-has-checked:bg-action group-has-checked:text-on-action">
      <Icon name="check" className="size-4" />
    </span>
  );
}

function Price({ price, label }: { price: PlanPriceView; label: string | null }) {
  const { t } = useTranslation();
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
  const { t } = useTranslation();
  return <span className="mt-6 block text-sm text-muted">{t("plans.priceLater")}</span>;
}
