import type { ReactNode } from "react";
import { Icon } from "~/ui/icon/icon";
import { PlanPrice } from "./plan-price";
import type { PlanView } from "./present.server";

interface PlanBodyProps {
  plan: PlanView;
  /** The element of the name: a heading, or text beside a radio button. */
  children: ReactNode;
}

/** The content of a plan's card, selectable or not. */
export function PlanBody({ plan, children }: PlanBodyProps) {
  return (
    <>
      {plan.badge && (
        <span className="absolute -top-3.5 start-6 rounded-pill bg-action px-3 py-1 text-2xs font-bold text-on-action md:start-8">
          <bdi>{plan.badge}</bdi>
        </span>
      )}
      {children}
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
    </>
  );
}
