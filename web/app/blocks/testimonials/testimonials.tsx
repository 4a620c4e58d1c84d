import { useRef } from "react";
import { useTexts } from "~/lib/i18n";
import { SectionHeader } from "~/ui/section-header/section-header";
import { SliderControls } from "~/ui/slider/slider-controls";
import { Track } from "~/ui/slider/track";
import { useSlider } from "~/ui/slider/use-slider";
import type { BlockProps } from "../registry";
import { Slide } from "./slide";

export default function Testimonials({ block }: BlockProps<"Testimonials">) {
  const t = useTexts();
  const track = useRef<HTMLUListElement>(null);
  const count = block.testimonials.length;
  const { active, show } = useSlider(track, count);
  return (
    <section className="overflow-hidden bg-mist">
      <div className="wrap section">
        <SectionHeader title={block.heading} />
        <section aria-roledescription="carousel" aria-label={block.heading ?? t("testimonials.label")}>
          <div className="relative mx-auto max-w-[48rem]">
            <Track ref={track}>
              {block.testimonials.map((testimonial, index) => (
                <Slide
                  key={testimonial.id}
                  testimonial={testimonial}
                  label={t("testimonials.position", { position: index + 1, total: count })}
                />
              ))}
            </Track>
            <SliderControls keys={block.testimonials.map(({ id }) => id)} active={active} onShow={show} />
          </div>
        </section>
      </div>
    </section>
  );
}
