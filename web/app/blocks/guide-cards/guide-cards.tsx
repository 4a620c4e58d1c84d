import { useTexts } from "~/lib/i18n";
import { artFor } from "~/ui/art/address";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { Picture } from "~/ui/picture/picture";
import { SectionHeader } from "~/ui/section-header/section-header";
import type { BlockProps } from "../registry";
import "./guide-cards.css";

type Card = BlockProps<"GuideCards">["block"]["cards"][number];

const icons = { meditation: "feature-lotus", music: "feature-music" } as const;

export default function GuideCards({ block }: BlockProps<"GuideCards">) {
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <ul className="cards">
        {block.cards.map((card) => (
          <li key={card.url + card.title}>
            <GuideCard card={card} heading={block.heading ? "h3" : "h2"} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function GuideCard({ card, heading: Heading }: { card: Card; heading: "h2" | "h3" }) {
  const t = useTexts();
  return (
    <article className="on-night group relative isolate flex aspect-4/3 flex-col justify-between overflow-clip rounded-card bg-night shadow-rest transition duration-200 ease-enter has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-offset-2 has-[a:focus-visible]:outline-action hover:-translate-y-0.5 hover:shadow-raised">
      <Picture
        image={{ ...(card.image ?? artFor("waves", card.title)), alt: "" }}
        className="absolute inset-0 -z-10 size-full object-cover transition duration-[480ms] ease-enter group-hover:scale-[1.03]"
      />
      <div className="guide-top flex items-center justify-between gap-3 p-5 pb-8 text-2xs font-bold">
        <span className="flex items-center gap-2">
          <Icon name={icons[card.kind]} />
          <span className="sr-only">{t(`guide.${card.kind}`)}</span>
          <bdi>{card.contentTag}</bdi>
        </span>
        <bdi className="money">{card.duration}</bdi>
      </div>
      <div className="guide-words flex items-end justify-between gap-4 p-5 pt-12">
        <Heading className="display text-xl">
          <Link
            url={card.url}
            className="text-white outline-none after:absolute after:inset-0 focus-visible:shadow-none"
          >
            {card.title}
          </Link>
        </Heading>
        <span
          aria-hidden="true"
          className="grid size-12 shrink-0 place-items-center rounded-pill bg-white text-night shadow-raised transition duration-200 ease-enter group-hover:scale-105"
        >
          <Icon name="play" solid className="translate-x-px" />
        </span>
      </div>
    </article>
  );
}
