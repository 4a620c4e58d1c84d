import { useTexts } from "~/lib/i18n";
import { FeatureIcon } from "~/ui/icon/feature-icon";
import { Link } from "~/ui/link/link";
import { Picture } from "~/ui/picture/picture";
import { SectionHeader } from "~/ui/section-header/section-header";
import { CardAction } from "~/ui/story-card/card-action";
import type { BlockProps } from "../registry";

type Item = BlockProps<"FeatureCards">["block"]["items"][number];

const tints = ["bg-mist text-action", "bg-sand text-warn", "bg-success-tint text-success"];

export default function FeatureCards({ block }: BlockProps<"FeatureCards">) {
  return (
    <section className="bg-sand">
      <div className="wrap section">
        <SectionHeader title={block.heading} description={block.description} />
        <ul className="cards cards-halves">
          {block.items.map((item, index) => (
            <Card
              key={item.heading}
              item={item}
              tint={tints[index % tints.length]}
              heading={block.heading ? "h3" : "h2"}
            />
          ))}
        </ul>
      </div>
    </section>
  );
}

interface CardProps {
  item: Item;
  tint: string | undefined;
  heading: "h2" | "h3";
}

/** A card with a URL is one link. */
function Card({ item, tint, heading: Heading }: CardProps) {
  const t = useTexts();
  return (
    <li className="group relative flex flex-col overflow-hidden rounded-card bg-card shadow-rest transition duration-200 ease-enter has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-offset-4 has-[a:focus-visible]:outline-action hover:-translate-y-0.5 hover:shadow-raised">
      {item.image && <Picture image={item.image} className="aspect-4/3 w-full object-cover" />}
      <div className="flex grow flex-col items-start p-6 md:p-8">
        {!item.image && (
          <span className={`mb-5 grid size-12 place-items-center rounded-field ${tint}`}>
            <FeatureIcon name={item.icon} />
          </span>
        )}
        <Heading className="display text-xl">
          {item.url ? (
            <Link url={item.url} className="outline-none after:absolute after:inset-0 focus-visible:shadow-none">
              {item.heading}
            </Link>
          ) : (
            item.heading
          )}
        </Heading>
        <p className="mt-2 text-muted">{item.text}</p>
        {item.url && <CardAction text={t("carousel.more")} />}
      </div>
    </li>
  );
}
