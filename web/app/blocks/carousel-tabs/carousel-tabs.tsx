import { useState } from "react";
import { Picture } from "~/ui/picture/picture";
import { SectionHeader } from "~/ui/section-header/section-header";
import { PlayToggle } from "~/ui/slider/slider-controls";
import { useAutoplay } from "~/ui/slider/use-autoplay";
import { wrapped } from "~/ui/slider/use-slider";
import { Tabs } from "~/ui/tabs/tabs";
import type { BlockProps } from "../registry";

type Tab = BlockProps<"CarouselTabs">["block"]["tabs"][number];

const DEFAULT_MS = 8_000;

export default function CarouselTabs({ block }: BlockProps<"CarouselTabs">) {
  const { tabs } = block;
  const [index, setIndex] = useState(0);
  const isCarousel = tabs.length > 1;
  const everyMs = isCarousel ? (block.autoplayMs ?? DEFAULT_MS) : 0;
  const autoplay = useAutoplay(everyMs, () => setIndex((now) => wrapped(now + 1, tabs.length)));
  const active = tabs[index];
  if (!active) return null;
  const slides = (
    <div className="grid">
      {tabs.map((tab) => (
        <Slide key={tab.id} tab={tab} isShown={tab === active} heading={block.heading ? "h3" : "h2"} />
      ))}
    </div>
  );
  return (
    <section className="overflow-hidden bg-sand">
      <div className="wrap section">
        <SectionHeader title={block.heading} />
        <div className="relative" {...(isCarousel ? autoplay.hold : {})}>
          {isCarousel ? (
            <Tabs
              label={block.heading ?? active.title}
              tabs={tabs.map(({ id, label }) => ({ key: id, label }))}
              active={active.id}
              onChange={(id) => setIndex(tabs.findIndex((tab) => tab.id === id))}
              look="middle"
            >
              {slides}
            </Tabs>
          ) : (
            slides
          )}
          {isCarousel && (
            <div className="mt-4 flex justify-center md:absolute md:end-0 md:top-1 md:mt-0">
              <PlayToggle autoplay={autoplay} />
            </div>
          )}
        </div>
      </div>
    </section>
  );
}

interface SlideProps {
  tab: Tab;
  isShown: boolean;
  heading: "h2" | "h3";
}

/** All panels share one grid cell: its height is that of the tallest, so nothing below moves. */
function Slide({ tab, isShown, heading: Heading }: SlideProps) {
  return (
    <div
      aria-hidden={!isShown || undefined}
      className={`col-start-1 row-start-1 grid content-start items-center gap-6 rounded-card bg-card p-6 shadow-rest md:grid-cols-2 md:content-center md:gap-12 md:p-10 ${isShown ? "animate-enter" : "invisible"}`}
    >
      {tab.image && <Picture image={tab.image} className="aspect-4/3 w-full rounded-card object-cover" />}
      <div>
        <Heading className="display text-2xl">{tab.title}</Heading>
        {tab.text && <p className="mt-4 text-lg text-muted">{tab.text}</p>}
      </div>
    </div>
  );
}
