import { useState } from "react";
import { useSurvey } from "~/features/survey/use-survey";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { local } from "~/lib/browser/storage";
import { Button } from "~/ui/button/button";
import { FeatureIcon } from "~/ui/icon/feature-icon";
import { Icon } from "~/ui/icon/icon";
import type { BlockProps } from "../registry";
import { termsOf } from "../shared/survey-terms";
import { MOST_CHOSEN, toggled } from "./choice";

type Category = BlockProps<"SurveyCategorySelection">["block"]["categories"][number];

/** Read by the suggested meditations. */
const CATEGORY_KEY = "surveySelectedCategory";

export default function SurveyCategorySelection({ block }: BlockProps<"SurveyCategorySelection">) {
  const t = useTexts();
  const { begin, beginning } = useSurvey(termsOf(block));
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const isFull = chosen.length === MOST_CHOSEN;

  const goOn = () => {
    const [first] = chosen;
    if (first === undefined) return;
    local.set(CATEGORY_KEY, String(first));
    begin(chosen);
  };

  return (
    <section className="wrap py-10 md:py-16">
      <div className="mx-auto max-w-[54rem]">
        <header className="mb-8 text-center md:mb-12">
          <h1 className="display text-3xl">{block.title}</h1>
          {block.description && <p className="mt-4 text-lg text-balance text-muted">{block.description}</p>}
        </header>
        <fieldset aria-label={block.title} className="grid gap-3 xs:grid-cols-2 md:grid-cols-3 md:gap-4">
          {block.categories.map((category) => (
            <Choice
              key={category.id}
              category={category}
              state={chosen.includes(category.id) ? "chosen" : isFull ? "barred" : "open"}
              onToggle={() => setChosen(toggled(chosen, category.id))}
            />
          ))}
        </fieldset>
        <div className="sticky-bar mt-8 text-center">
          <p role="status" className="mb-3 text-sm text-muted">
            {t("survey.chosen", { chosen: chosen.length, max: MOST_CHOSEN })}
            {isFull && <span className="block">{t("survey.full")}</span>}
          </p>
          <Button
            busy={beginning}
            disabled={chosen.length === 0}
            onClick={goOn}
            className="w-full md:w-auto md:min-w-80"
          >
            {block.continueLabel}
          </Button>
        </div>
      </div>
    </section>
  );
}

interface ChoiceProps {
  category: Category;
  state: "open" | "chosen" | "barred";
  onToggle: () => void;
}

/** Options beyond the limit stay focusable; the line below says why they do nothing. */
function Choice({ category, state, onToggle }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={state === "chosen"}
      aria-disabled={state === "barred" || undefined}
      onClick={onToggle}
      className="group flex min-h-18 items-center gap-4 rounded-card border-2 border-transparent bg-card p-4 text-start font-semibold shadow-rest transition duration-200 ease-enter hover:border-hairline aria-disabled:cursor-not-allowed aria-disabled:text-muted aria-pressed:border-action aria-pressed:bg-mist"
    >
      <span className="grid size-11 shrink-0 place-items-center rounded-field bg-mist text-action group-aria-pressed:bg-action group-aria-pressed:text-on-action">
        {state === "chosen" ? <Icon name="check" /> : <FeatureIcon name={category.icon ?? "lotus"} />}
      </span>
      {category.label}
    </button>
  );
}
