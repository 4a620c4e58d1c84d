import { useRef, useState } from "react";
import { useTexts } from "~/lib/i18n";
import { artFor } from "~/ui/art/address";
import { SectionHeader } from "~/ui/section-header/section-header";
import { Transcript } from "~/ui/transcript/transcript";
import { Poster } from "~/ui/video/poster";
import { videoSource } from "~/ui/video/source";
import { VideoFrame } from "~/ui/video/video-frame";
import type { BlockProps } from "../registry";
import { useScrolledToPlay } from "./use-scrolled-to-play";

export default function VideoPlayer({ block }: BlockProps<"VideoPlayer">) {
  const t = useTexts();
  const container = useRef<HTMLDivElement>(null);
  const [isAsked, setAsked] = useState(false);
  const isReached = useScrolledToPlay(container);
  // A video site is not contacted before a press on play.
  const isOurs = videoSource(block.videoUrl).kind === "file";
  const isPlaying = isAsked || (isReached && isOurs);
  const title = block.heading ?? t("video.label");
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} description={block.description} />
      <div ref={container} className="mx-auto max-w-[56rem]">
        {isPlaying ? (
          <VideoFrame
            url={block.videoUrl}
            title={title}
            poster={(block.videoThumbnail ?? artFor("waves", block.id)).url}
            captionsUrl={block.captionsUrl}
            isUnasked={!isAsked}
            takesFocus={isAsked}
            className="rounded-card object-cover shadow-raised"
          />
        ) : (
          <Poster
            label={t("video.play", { title })}
            image={block.videoThumbnail}
            seed={block.id}
            onClick={() => setAsked(true)}
          />
        )}
        {block.transcriptHtml && <Transcript html={block.transcriptHtml} />}
      </div>
    </section>
  );
}
