import { FeatureIcon } from "~/ui/icon/feature-icon";
import { Icon } from "~/ui/icon/icon";
import { Picture } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";

export default function ProgramScopeCard({ block }: BlockProps<"ProgramScopeCard">) {
  return (
    <section className="wrap section">
      <div className={`grid overflow-hidden rounded-card bg-card shadow-raised ${block.image ? "lg:grid-cols-2" : ""}`}>
        <div className="self-center p-6 md:p-10 lg:p-14">
          <h2 className="display text-3xl">{block.title}</h2>
          {block.description && <p className="mt-4 text-lg text-muted">{block.description}</p>}
          <ul className={`mt-8 grid gap-4 ${block.image ? "" : "md:grid-cols-2 md:gap-x-10 lg:grid-cols-3"}`}>
            {block.scope.map((item) => (
              <li key={item.text} className="flex items-center gap-4">
                <span className="grid size-11 shrink-0 place-items-center rounded-field bg-mist text-action">
                  {item.icon ? <FeatureIcon name={item.icon} /> : <Icon name="check" />}
                </span>
                {item.text}
              </li>
            ))}
          </ul>
        </div>
        {block.image && (
          <Picture
            image={block.image}
            className="size-full object-cover max-lg:-order-1 max-lg:aspect-[2/1] max-md:aspect-4/3"
          />
        )}
      </div>
    </section>
  );
}
