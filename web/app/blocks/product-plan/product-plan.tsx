import { ContentButton } from "~/ui/button/content-button";
import { GroundLayer, groundOf } from "~/ui/ground/ground";
import { Icon } from "~/ui/icon/icon";
import { SectionHeader } from "~/ui/section-header/section-header";
import { PlanPrice } from "../plan-list/plan-price";
import type { BlockProps } from "../registry";

/** One plan, nothing to choose: the card and its button. */
export default function ProductPlan({ block }: BlockProps<"ProductPlan">) {
  const { plan } = block;
  const ground = groundOf(plan.background);
  const Heading = block.heading ? "h3" : "h2";
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <div
        className={`relative isolate mx-auto max-w-form rounded-card bg-card p-6 shadow-raised md:p-8 ${ground?.scope ?? ""}`}
      >
        <GroundLayer ground={ground} />
        {plan.badge && (
          <p className="absolute -top-3.5 start-6 rounded-pill bg-action px-3 py-1 text-2xs font-bold text-on-action md:start-8">
            <bdi>{plan.badge}</bdi>
          </p>
        )}
        <Heading className="display text-xl">{plan.title}</Heading>
        {plan.description && <p className="mt-1 text-sm text-muted">{plan.description}</p>}
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
        <ContentButton button={{ ...plan.action, url: plan.href, primary: true }} className="mt-6 w-full" />
      </div>
    </section>
  );
}
