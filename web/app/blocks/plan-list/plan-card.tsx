import { ChoiceCard, ChoiceTick } from "~/ui/choice-card/choice-card";
import { SurfaceLayer, surfaceOf } from "~/ui/surface/surface";
import { PlanBody } from "./plan-body";
import type { PlanView } from "./present.server";

interface PlanCardProps {
  plan: PlanView;
  value: number;
  group: string;
  checked: boolean;
  onSelect: (value: number) => void;
}

export function PlanCard({ plan, value, group, checked, onSelect }: PlanCardProps) {
  const surface = surfaceOf(plan.background);
  return (
    <ChoiceCard
      group={group}
      value={value}
      checked={checked}
      onSelect={() => onSelect(value)}
      className={`isolate flex-col p-6 md:p-8 ${surface?.scope ?? ""}`}
    >
      <SurfaceLayer surface={surface} />
      <PlanBody plan={plan}>
        <span className="flex items-start justify-between gap-4">
          <span>
            <span className="display block text-xl">{plan.title}</span>
            {plan.description && <span className="mt-1 block text-sm text-muted">{plan.description}</span>}
          </span>
          <ChoiceTick />
        </span>
      </PlanBody>
    </ChoiceCard>
  );
}
