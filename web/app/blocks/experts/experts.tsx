import { useRef } from "react";
import { useTexts } from "~/lib/i18n";
import { SectionHeader } from "~/ui/section-header/section-header";
import { SliderControls } from "~/ui/slider/slider-controls";
import { Track } from "~/ui/slider/track";
import { useSlider } from "~/ui/slider/use-slider";
import type { BlockProps } from "../registry";
import { ExpertCard } from "./expert-card";

export default function Experts({ block }: BlockProps<"Experts">) {
  const t = useTexts();
  const track = useRef<HTMLUListElement>(null);
  const count = block.experts.length;
  const { active, show } = useSlider(track, count);
  return (
    <section className="overflow-hidden bg-sand">
      <div className="wrap section">
        <SectionHeader title={block.heading} description={block.description} />
        <section
          aria-roledescription="carousel"
          aria-label={block.heading ?? t("carousel.label")}
          className="mx-auto max-w-[56rem]"
        >
          <Track ref={track}>
            {block.experts.map((expert, index) => (
              <li
                key={expert.name}
                aria-roledescription="slide"
                aria-label={t("carousel.position", { position: index + 1, total: count })}
                className="w-full shrink-0 snap-center"
              >
                <ExpertCard expert={expert} heading={block.heading ? "h3" : "h2"} />
              </li>
            ))}
          </Track>
          <SliderControls keys={block.experts.map(({ name }) => name)} active={active} onShow={show} arrowsOnPhones />
        </section>
      </div>
    </section>
  );
}
