import { useEffect, useState } from "react";
import { ContentButton } from "~/ui/button/content-button";
import { Picture } from "~/ui/picture/picture";
import { Tabs } from "~/ui/tabs/tabs";
import type { BlockProps } from "../registry";
import "./tab-hero.css";

const BACKGROUND_AFTER_MS = 500;

export default function TabHero({ block }: BlockProps<"TabHero">) {
  const [activeId, setActive] = useState(block.tabs[0]?.id ?? "");
  const showsBackground = useLater(BACKGROUND_AFTER_MS);
  const active = block.tabs.find(({ id }) => id === activeId) ?? block.tabs[0];
  if (!active) return null;
  const Title = block.heading ? "h2" : "h1";
  return (
    <section className="wrap half pt-6 pb-14 md:pt-10 lg:pb-20">
      <div className="on-night relative isolate flex min-h-[34rem] flex-col overflow-hidden rounded-card bg-night text-white md:min-h-[36rem]">
        <div className="absolute inset-0 -z-10">
          {showsBackground && active.backgroundImage && (
            <Picture
              key={active.id}
              image={{ ...active.backgroundImage, alt: "" }}
              eager
              className="tab-hero-picture size-full object-cover"
            />
          )}
          <div className="tab-hero-shade absolute inset-0" />
        </div>
        <div className="flex grow flex-col gap-8 p-5 md:p-10 lg:p-14">
          {block.heading && <h1 className="display max-w-[36rem] text-3xl text-white">{block.heading}</h1>}
          <Tabs
            label={block.heading ?? active.title}
            tabs={block.tabs.map(({ id, label }) => ({ key: id, label }))}
            active={active.id}
            onChange={setActive}
            look="fit"
          >
            <div key={active.id} className="max-w-[36rem] animate-enter pt-6 md:pt-16">
              <Title className="display text-display text-white">{active.title}</Title>
              {active.description && <p className="mt-5 text-lg text-lav">{active.description}</p>}
              {active.button && <ContentButton button={active.button} className="mt-8 max-xs:w-full" />}
            </div>
          </Tabs>
        </div>
      </div>
    </section>
  );
}

/** False until a delay after mount, so that the background does not delay the first paint. */
function useLater(ms: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isLater;
}
