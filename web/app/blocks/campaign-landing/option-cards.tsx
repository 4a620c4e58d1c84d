import { useId } from "react";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { ChoiceCard, ChoiceTick } from "~/ui/choice-card/choice-card";
import type { OptionView } from "./present.server";

interface OptionCardsProps {
  options: OptionView[];
  selected: number;
  onSelect: (index: number) => void;
}

export function OptionCards({ options, selected, onSelect }: OptionCardsProps) {
  const t = useTexts();
  const group = useId();
  return (
    <fieldset aria-label={t("plans.choose")} className="grid gap-5">
      {options.map((option, index) => (
        <ChoiceCard
          key={option.id}
          group={group}
          value={option.id}
          checked={index === selected}
          onSelect={() => onSelect(index)}
          className="items-center gap-4 p-5"
        >
          <ChoiceTick />
          {option.badge && (
            <span className="absolute -top-3 end-5 rounded-pill bg-action px-3 py-0.5 text-2xs font-bold text-on-action">
              {option.badge}
            </span>
          )}
          <span className="min-w-0 grow">
            <span className="block font-bold">{option.title}</span>
            {option.text && <span className="block text-sm text-muted">{option.text}</span>}
            <Total option={option} />
          </span>
          <PerPart option={option} />
        </ChoiceCard>
      ))}
    </fieldset>
  );
}

function Total({ option }: { option: OptionView }) {
  const t = useTexts();
  if (!option.price) return <span className="block text-sm text-muted">{t("plans.priceLater")}</span>;
  const { price } = option;
  return (
    <span className="money mt-1 block text-2xs text-muted">
      {price.trialDays > 0 && <>{t("plans.trial", { count: price.trialDays })} </>}
      {t("plans.billed", { count: price.periodMonths, price: price.total })}
      <span className="block">{t(`campaign.${option.unit}`)}</span>
    </span>
  );
}

function PerPart({ option: { price } }: { option: OptionView }) {
  const t = useTexts();
  if (!price) return null;
  return (
    <span className="shrink-0 text-end">
      {price.list && (
        <s className="money block text-2xs text-muted">
          <span className="sr-only">{t("plans.listPrice")} </span>
          {price.list}
        </s>
      )}
      <span className="money block text-2xl font-semibold tracking-display">{price.headline}</span>
      {price.headlineSuffix && <span className="block text-2xs text-muted">{price.headlineSuffix}</span>}
    </span>
  );
}
