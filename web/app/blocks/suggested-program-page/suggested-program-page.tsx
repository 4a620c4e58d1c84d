import { useTexts } from "~/lib/i18n";
import { ContentButton } from "~/ui/button/content-button";
import { Icon } from "~/ui/icon/icon";
import { Link } from "~/ui/link/link";
import { Picture } from "~/ui/picture/picture";
import type { BlockProps } from "../registry";

type Meditation = BlockProps<"SuggestedProgramPage">["block"]["meditations"][number];

export default function SuggestedProgramPage({ block }: BlockProps<"SuggestedProgramPage">) {
  return (
    <section className="wrap grid items-start gap-10 py-10 md:py-16 lg:grid-cols-[5fr_6fr] lg:gap-16">
      <div className="lg:sticky lg:top-24">
        {block.image && (
          <Picture image={block.image} eager className="mb-8 aspect-4/3 w-full rounded-card object-cover" />
        )}
        <h1 className="display text-display">{block.title}</h1>
        {block.description && <p className="hero-lede mt-5 text-lg text-muted">{block.description}</p>}
        {block.action && <ContentButton button={block.action} className="mt-8 max-xs:w-full" />}
      </div>
      <ol className="space-y-3">
        {block.meditations.map((meditation) => (
          <Row key={meditation.meditationUrl} meditation={meditation} />
        ))}
      </ol>
    </section>
  );
}

function Row({ meditation }: { meditation: Meditation }) {
  const t = useTexts();
  return (
    <li className="group relative flex items-center gap-4 rounded-card bg-card p-4 shadow-rest transition duration-200 ease-enter hover:shadow-raised md:p-5">
      <span className="grid size-12 shrink-0 place-items-center rounded-pill bg-mist text-action transition duration-200 group-hover:bg-action group-hover:text-on-action">
        <Icon name={meditation.isPremium ? "lock" : "play"} />
      </span>
      <div className="min-w-0 grow">
        <Link url={meditation.meditationUrl} className="font-bold after:absolute after:inset-0 after:rounded-card">
          {meditation.title}
        </Link>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          {meditation.durationText}
          {meditation.isPremium && (
            <span className="rounded-pill bg-warn-tint px-2.5 py-0.5 text-2xs font-bold text-warn">
              {t("program.premium")}
            </span>
          )}
        </p>
      </div>
    </li>
  );
}
