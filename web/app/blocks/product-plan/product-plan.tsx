import { ContentButton } from "~/ui/button/content-button";
import { SectionHeader } from "~/ui/section-header/section-header";
import { SurfaceLayer, surfaceOf } from "~/ui/surface/surface";
import { PlanBody } from "../plan-list/plan-body";
import type { BlockProps } from "../registry";

/** A single plan with its button. */
export default function ProductPlan({ block }: BlockProps<"ProductPlan">) {
  const { plan } = block;
  const surface = surfaceOf(plan.background);
  const Heading = block.heading ? "h3" : "h2";
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <div
        className={`relative isolate mx-auto max-w-form rounded-card bg-card p-6 shadow-raised md:p-8 ${surface?.scope ?? ""}`}
      >
        <SurfaceLayer surface={surface} />
        <PlanBody plan={plan}>
          <Heading className="display text-xl">{plan.title}</Heading>
          {plan.description && <p className="mt-1 text-sm text-muted">{plan.description}</p>}
        </PlanBody>
        <ContentButton button={{ ...plan.action, url: plan.href, primary: true }} className="mt-6 w-full" />
      </div>
    </section>
  );
}
