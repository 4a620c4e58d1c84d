import { useTexts } from "~/lib/i18n";
import { artFor } from "~/ui/art/address";
import { Link } from "~/ui/link/link";
import { Picture } from "~/ui/picture/picture";
import { SectionHeader } from "~/ui/section-header/section-header";
import type { BlockProps } from "../registry";

type Sample = BlockProps<"ProgramSamples">["block"]["samples"][number];

/** On phones a slider of three, elsewhere a list. */
export default function ProgramSamples({ block }: BlockProps<"ProgramSamples">) {
  const t = useTexts();
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label={block.heading ?? t("samples.list")}
        className="cards slider -mx-(--gutter) snap-x scroll-px-(--gutter) overflow-x-auto px-(--gutter) pb-2 max-md:flex max-md:gap-3 md:mx-0 md:overflow-visible md:px-0"
      >
        {block.samples.map((sample) => (
          <li key={sample.title} className="w-[calc((100vw-2*var(--gutter)-1.5rem)/3)] shrink-0 snap-start md:w-auto">
            <Sample sample={sample} heading={block.heading ? "h3" : "h2"} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sample({ sample, heading: Heading }: { sample: Sample; heading: "h2" | "h3" }) {
  const t = useTexts();
  return (
    <article className="group relative h-full rounded-card has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-offset-4 has-[a:focus-visible]:outline-action md:bg-card md:shadow-rest">
      <div className="overflow-hidden rounded-card bg-mist md:rounded-b-none">
        <Picture
          image={sample.image ?? artFor("cover", sample.title)}
          className="aspect-square w-full object-cover transition duration-[480ms] ease-enter group-hover:scale-[1.03] md:aspect-4/3"
        />
      </div>
      <div className="pt-2 md:p-6">
        <Heading className="text-sm leading-snug font-bold md:font-display md:text-xl md:font-medium md:tracking-display">
          {sample.url ? (
            <Link url={sample.url} className="outline-none after:absolute after:inset-0 focus-visible:shadow-none">
              {sample.title}
            </Link>
          ) : (
            sample.title
          )}
        </Heading>
        {sample.durationMinutes !== null && (
          <p className="mt-1 text-2xs font-semibold text-action">
            {t("samples.minutes", { count: sample.durationMinutes })}
          </p>
        )}
        {sample.text && <p className="mt-2 hidden text-sm text-muted md:block">{sample.text}</p>}
      </div>
    </article>
  );
}
