import { useState } from "react";
import { useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import { artFor } from "~/ui/art/address";
import { SectionHeader } from "~/ui/section-header/section-header";
import { Poster } from "~/ui/video/poster";
import { VideoFrame } from "~/ui/video/video-frame";
import type { BlockProps } from "../registry";
import { isPromoted } from "./paths";

export default function PromoVideo({ block }: BlockProps<"PromoVideo">) {
  const t = useTexts();
  const { pathname } = useLocation();
  const [isPlaying, setPlaying] = useState(false);
  if (!isPromoted(pathname)) return null;
  return (
    <section className="bg-sand">
      <div className="wrap section">
        <SectionHeader title={block.title} description={block.description} />
        <div className="mx-auto max-w-[56rem]">
          {isPlaying ? (
            <VideoFrame
              url={block.videoUrl}
              title={block.title}
              poster={(block.videoThumbnail ?? artFor("waves", block.id)).url}
              takesFocus
              className="rounded-card object-cover shadow-raised"
            />
          ) : (
            <Poster
              label={t("video.play", { title: block.title })}
              image={block.videoThumbnail}
              seed={block.id}
              onClick={() => setPlaying(true)}
            />
          )}
        </div>
      </div>
    </section>
  );
}
