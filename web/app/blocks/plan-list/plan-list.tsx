import { useEffect, useId, useRef, useState } from "react";
import { useTexts } from "~/lib/i18n";
import { ContentButton } from "~/ui/button/content-button";
import { SectionHeader } from "~/ui/section-header/section-header";
import type { BlockProps } from "../registry";
import { PlanCard } from "./plan-card";

export default function PlanList({ block }: BlockProps<"PlanList">) {
  const t = useTexts();
  const id = useId();
  const form = useRef<HTMLFieldSetElement>(null);
  const [selected, setSelected] = useState(block.preselected);
  const plan = block.plans[selected];

  // Adopts a choice made before hydration.
  useEffect(() => {
    const checked = form.current?.querySelector<HTMLInputElement>("input:checked");
    if (checked) setSelected(Number(checked.value));
  }, []);

  return (
    <section className="wrap section">
      <SectionHeader id={`${id}-title`} title={block.heading} description={block.description} />
      <div>
        <fieldset
          ref={form}
          aria-labelledby={block.heading ? `${id}-title` : undefined}
          aria-label={block.heading ? undefined : t("plans.choose")}
          className={`mx-auto grid gap-4 md:auto-cols-fr md:grid-flow-col md:gap-6 ${block.plans.length > 2 ? "" : "max-w-[54rem]"}`}
        >
          {block.plans.map((option, index) => (
            <PlanCard
              key={option.href}
              plan={option}
              value={index}
              group={`${id}-plan`}
              checked={index === selected}
              onSelect={setSelected}
            />
          ))}
        </fieldset>
        {plan && (
          <div className="sticky-bar mt-6 text-center md:mt-8">
            <ContentButton
              button={{ ...plan.action, url: plan.href, primary: true }}
              className="w-full md:w-auto md:min-w-80"
            />
          </div>
        )}
      </div>
      {block.note && <p className="mt-4 text-center text-2xs text-balance text-muted">{block.note}</p>}
    </section>
  );
}
