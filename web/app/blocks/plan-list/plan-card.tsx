import { GroundLayer, groundOf } from "~/ui/ground/ground";
import { Icon } from "~/ui/icon/icon";
import { PlanPrice } from "./plan-price";
import type { PlanView } from "./present.server";

interface PlanCardProps {
  plan: PlanView;
  value: number;
  group: string;
  checked: boolean;
  onSelect: (value: number) => void;
}

/** A radio button the size of a card. */
export function PlanCard({ plan, value, group, checked, onSelect }: PlanCardProps) {
  const ground = groundOf(plan.background);
  return (
    <label
      data-card
      className={`group relative isolate flex flex-col rounded-card border-2 border-transparent bg-card p-6 shadow-raised transition duration-200 ease-enter hover:border-hairline has-checked:border-action has-checked:bg-mist has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-action md:p-8 ${ground?.scope ?? ""}`}
    >
      <GroundLayer ground={ground} />
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
          <bdi>{plan.badge}</bdi>
        </span>
      )}
      <span className="flex items-start justify-between gap-4">
        <span>
          <span className="display block text-xl">{plan.title}</span>
          {plan.description && <span className="mt-1 block text-sm text-muted">{plan.description}</span>}
        </span>
        <Tick />
      </span>
      <PlanPrice price={plan.price} label={plan.label} />
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
