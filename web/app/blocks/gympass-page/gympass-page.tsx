import { ContactLine } from "~/ui/contact-line/contact-line";
import { Icon, type IconName } from "~/ui/icon/icon";
import { Picture } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";

type Plan = BlockProps<"GympassPage">["block"]["benefitPlans"][number];

const icons: Record<Plan["kind"], IconName> = {
  mindfulness: "feature-lotus",
  therapy: "feature-heart",
  nutritionist: "feature-sun",
};

export default function GympassPage({ block }: BlockProps<"GympassPage">) {
  return (
    <section className="wrap py-10 md:py-16">
      <header className="mx-auto max-w-text text-center">
        <h1 className="display text-display">{block.title}</h1>
        {block.description && <p className="mt-5 text-lg text-balance text-muted">{block.description}</p>}
      </header>
      <ul className="mt-10 grid gap-4 md:mt-14 md:grid-cols-3 md:gap-6">
        {block.benefitPlans.map((plan) => (
          <PlanCard key={plan.kind} plan={plan} />
        ))}
      </ul>
      <div className="mx-auto mt-12 max-w-text md:mt-16">
        <h2 className="display text-2xl">{block.registerTitle}</h2>
        {block.registerText && <p className="mt-3 mb-6 text-muted">{block.registerText}</p>}
        <div className="mt-6">
          <ContactLine email={block.contactEmail} subject={block.registerTitle} />
        </div>
      </div>
    </section>
  );
}

function PlanCard({ plan }: { plan: Plan }) {
  return (
    <li className="flex flex-col overflow-hidden rounded-card bg-card shadow-rest">
      {plan.image && <Picture image={plan.image} className="aspect-4/3 w-full object-cover" />}
      <div className="p-6 md:p-8">
        {!plan.image && (
          <span className="mb-5 grid size-12 place-items-center rounded-field bg-mist text-action">
            <Icon name={icons[plan.kind]} className="size-6" />
          </span>
        )}
        <h2 className="display text-xl">{plan.title}</h2>
        {plan.text && <p className="mt-2 text-muted">{plan.text}</p>}
      </div>
    </li>
  );
}
