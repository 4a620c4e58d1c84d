import { SectionHeader } from "~/ui/section-header/section-header";
import type { BlockProps } from "../registry";
import { FeatureIcon } from "./feature-icon";

const tints = ["bg-mist text-action", "bg-sand text-warn", "bg-success-tint text-success"];

export default function FeatureCards({ block }: BlockProps<"FeatureCards">) {
  const Heading = block.heading ? "h3" : "h2";
  return (
    <section className="bg-sand">
      <div className="wrap section">
        <SectionHeader title={block.heading} description={block.description} />
        <ul className="grid gap-4 md:grid-cols-2 md:gap-6 lg:grid-cols-3">
          {block.items.map((item, index) => (
            <li
              key={item.heading}
              className="rounded-card bg-card p-6 shadow-rest transition duration-200 ease-enter hover:-translate-y-0.5 hover:shadow-raised md:p-8"
            >
              <span className={`mb-5 grid size-12 place-items-center rounded-field ${tints[index % tints.length]}`}>
                <FeatureIcon name={item.icon} />
              </span>
              <Heading className="display text-xl">{item.heading}</Heading>
              <p className="mt-2 text-muted">{item.text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
