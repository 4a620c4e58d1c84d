import { useState } from "react";
import { useTexts } from "~/lib/i18n";
import { Button } from "~/ui/button/button";
import { ContentButton } from "~/ui/button/content-button";
import { Icon } from "~/ui/icon/icon";
import { Picture } from "~/ui/picture/picture";
import { Tabs } from "~/ui/tabs/tabs";
import { VideoDialog } from "~/ui/video/video-dialog";
import type { BlockProps } from "../registry";
import { scrollToBlock } from "./scroll";

type HeroBlock = BlockProps<"JapaneseHero">["block"];

export default function JapaneseHero({ block }: BlockProps<"JapaneseHero">) {
  const [activeId, setActive] = useState(block.tabs[0]?.id ?? "");
  const active = block.tabs.find(({ id }) => id === activeId) ?? block.tabs[0];
  if (!active) return null;
  const isFirst = active.id === block.tabs[0]?.id;
  const panel = (
    <div key={active.id} className="grid animate-enter items-center gap-8 lg:grid-cols-2 lg:gap-16">
      <div className="order-last lg:order-first">
        <h1 className="display text-display">{active.title}</h1>
        {active.description && <p className="hero-lede mt-5 text-lg text-muted">{active.description}</p>}
        <Actions block={block} showsScroll={isFirst} />
      </div>
      {active.image && (
        <Picture image={active.image} eager className="aspect-4/3 w-full rounded-card object-cover shadow-floating" />
      )}
    </div>
  );
  return (
    <section className="wrap half pt-6 pb-14 md:pt-10 lg:pb-20">
      {block.tabs.length > 1 ? (
        <Tabs
          label={active.title}
          tabs={block.tabs.map(({ id, label }) => ({ key: id, label }))}
          active={active.id}
          onChange={setActive}
          look="fit"
        >
          {panel}
        </Tabs>
      ) : (
        panel
      )}
    </section>
  );
}

function Actions({ block, showsScroll }: { block: HeroBlock; showsScroll: boolean }) {
  const t = useTexts();
  const { film, scrollTargetId } = block;
  return (
    <div className="mt-8 flex flex-wrap items-center gap-3">
      <ContentButton button={block.downloadButton} className="max-xs:w-full" />
      {film && (
        <VideoDialog url={film} title={block.videoTitle ?? t("video.watch")}>
          {(open) => (
            <Button variant="secondary" aria-haspopup="dialog" onClick={open} className="max-xs:w-full">
              <Icon name="play" solid className="size-4" />
              {block.videoLabel ?? t("video.watch")}
            </Button>
          )}
        </VideoDialog>
      )}
      {showsScroll && block.scrollButtonText && scrollTargetId && (
        <Button variant="quiet" onClick={() => scrollToBlock(scrollTargetId)} className="max-xs:w-full">
          {block.scrollButtonText}
          <Icon name="chevron-down" className="size-4" />
        </Button>
      )}
    </div>
  );
}
