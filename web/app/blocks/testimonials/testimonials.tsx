import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "~/ui/icon/icon";
import { SectionHeader } from "~/ui/section-header/section-header";
import type { BlockProps } from "../registry";
import { Slide } from "./slide";
import { useSlider } from "./use-slider";

export default function Testimonials({ block }: BlockProps<"Testimonials">) {
  const { t } = useTranslation();
  const track = useRef<HTMLUListElement>(null);
  const count = block.testimonials.length;
  const { active, show } = useSlider(track, count);
  return (
    <section className="overflow-hidden bg-mist">
      <div className="wrap section">
        <SectionHeader title={block.heading} />
        <section aria-roledescription="carousel" aria-label={block.heading ?? t("testimonials.label")}>
          <div className="relative mx-auto max-w-[48rem]">
            <ul
              ref={track}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
              tabIndex={0}
              className="slider flex snap-x snap-mandatory gap-6 overflow-x-auto rounded-card"
            >
              {block.testimonials.map((testimonial, index) => (
                <Slide
                  key={testimonial.id}
                  testimonial={testimonial}
                  label={t("testimonials.position", { position: index + 1, total: count })}
                />
              ))}
            </ul>
            {count > 1 && (
              <div className="mt-4 flex items-center justify-center gap-4 md:mt-6">
                <Arrow label={t("testimonials.previous")} onClick={() => show(active - 1)} back />
                <div className="flex">
                  {block.testimonials.map((testimonial, index) => (
                    <button
                      key={testimonial.id}
                      type="button"
                      aria-label={t("testimonials.show", { position: index + 1, total: count })}
                      aria-current={index === active || undefined}
                      onClick={() => show(index)}
                      className="group grid h-11 w-8 place-items-center rounded-field"
                    >
                      <span className="h-2 w-2 rounded-pill bg-field transition-all duration-200 group-hover:bg-action group-aria-current:w-6 group-aria-current:bg-action" />
                    </button>
                  ))}
                </div>
                <Arrow label={t("testimonials.next")} onClick={() => show(active + 1)} />
              </div>
            )}
          </div>
        </section>
      </div>
    </section>
  );
}

interface ArrowProps {
  label: string;
  onClick: () => void;
  back?: boolean;
}

function Arrow({ label, onClick, back }: ArrowProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className="hidden size-11 place-items-center rounded-pill border border-field bg-card text-ink transition duration-200 hover:border-action hover:text-action md:grid"
    >
      <span className={back ? "-scale-x-100" : ""}>
        <Icon name="chevron" mirrored />
      </span>
    </button>
  );
}
