import { useState } from "react";
import { useTexts } from "~/lib/i18n";
import { Poster } from "~/ui/video/poster";
import { youtubeEmbed } from "~/ui/video/source";
import { VideoFrame } from "~/ui/video/video-frame";
import type { BlockProps } from "../registry";

/** YouTube is not contacted before a press on play. */
export default function YoutubeEmbed({ block }: BlockProps<"YoutubeEmbed">) {
  const t = useTexts();
  const [isPlaying, setPlaying] = useState(false);
  return (
    <section className="wrap section">
      <figure className="mx-auto max-w-[56rem]">
        {isPlaying ? (
          <VideoFrame
            url={youtubeEmbed(block.videoId)}
            title={block.title}
            takesFocus
            className="rounded-card shadow-raised"
          />
        ) : (
          <Poster
            label={t("video.play", { title: block.title })}
            image={null}
            seed={block.videoId.toLowerCase()}
            onClick={() => setPlaying(true)}
          />
        )}
        <figcaption className="mt-3 flex flex-wrap justify-between gap-x-6 gap-y-1 text-sm">
          <span className="font-semibold">{block.title}</span>
          <span className="text-muted">{t("video.youtube")}</span>
        </figcaption>
      </figure>
    </section>
  );
}
