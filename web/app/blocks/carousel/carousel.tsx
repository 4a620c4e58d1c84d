import { useRef } from "react";
import { useTexts } from "~/lib/i18n";
import { Link } from "~/ui/link/link";
import { Picture } from "~/ui/picture/picture";
import { SectionHeader } from "~/ui/section-header/section-header";
import { SliderControls } from "~/ui/slider/slider-controls";
import { Track } from "~/ui/slider/track";
import { useAutoplay } from "~/ui/slider/use-autoplay";
import { useSlider } from "~/ui/slider/use-slider";
import type { BlockProps } from "../registry";
import "./carousel.css";

type Slide = BlockProps<"Carousel">["block"]["slides"][number];

const DEFAULT_MS = 5_000;

export default function Carousel({ block }: BlockProps<"Carousel">) {
  const t = useTexts();
  const track = useRef<HTMLUListElement>(null);
  const count = block.slides.length;
  const { active, show } = useSlider(track, count);
  const isMoving = count > 1;
  const autoplay = useAutoplay(isMoving ? (block.autoplayMs ?? DEFAULT_MS) : 0, () => show(active + 1));
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <section
        aria-roledescription="carousel"
        aria-label={block.heading ?? t("carousel.label")}
        {...(isMoving ? autoplay.hold : {})}
      >
        <Track ref={track}>
          {block.slides.map((slide, index) => (
            <li
              key={slide.picture.url}
              aria-roledescription="slide"
              aria-label={t("carousel.position", { position: index + 1, total: count })}
              className="relative w-full shrink-0 snap-center overflow-hidden rounded-card bg-night"
            >
              <SlideContent slide={slide} />
            </li>
          ))}
        </Track>
        <SliderControls
          keys={block.slides.map(({ picture }) => picture.url)}
          active={active}
          onShow={show}
          {...(isMoving ? { autoplay } : {})}
        />
      </section>
    </section>
  );
}

function SlideContent({ slide }: { slide: Slide }) {
  const t = useTexts();
  return (
    <>
      <Picture image={slide.picture} className="aspect-4/3 w-full object-cover md:aspect-[21/9]" />
      {(slide.title || slide.text) && (
        <div className="on-night slide-words p-6 md:absolute md:inset-x-0 md:bottom-0 md:px-10 md:pt-24 md:pb-8">
          {slide.title && <p className="display text-2xl">{slide.title}</p>}
          {slide.text && <p className="mt-2 max-w-text text-muted">{slide.text}</p>}
          {slide.url && (
            <Link
              url={slide.url}
              className="mt-2 inline-flex min-h-11 items-center font-bold underline underline-offset-4"
            >
              {t("carousel.more")}
              <span className="sr-only">: {slide.title ?? slide.picture.alt}</span>
            </Link>
          )}
        </div>
      )}
    </>
  );
}
