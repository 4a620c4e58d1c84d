import { useEffect, useRef, useState } from "react";
import { useTexts } from "~/lib/i18n";
import { artFor } from "~/ui/art/address";
import { Notice } from "~/ui/notice/notice";
import { SectionHeader } from "~/ui/section-header/section-header";
import { Transcript } from "~/ui/transcript/transcript";
import { Poster } from "~/ui/video/poster";
import { videoSource } from "~/ui/video/source";
import { VideoFrame } from "~/ui/video/video-frame";
import type { BlockProps } from "../registry";
import { useScrolledToPlay } from "./use-scrolled-to-play";

type VideoBlock = BlockProps<"VideoPlayer">["block"];

export default function VideoPlayer({ block }: BlockProps<"VideoPlayer">) {
  const t = useTexts();
  const place = useRef<HTMLDivElement>(null);
  const [isAsked, setAsked] = useState(false);
  const isReached = useScrolledToPlay(place);
  const isPlaying = isAsked || isReached;
  const title = block.heading ?? t("video.label");
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} description={block.description} />
      <div ref={place} className="mx-auto max-w-[56rem]">
        {isPlaying ? (
          <Film block={block} title={title} isMuted={!isAsked} />
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

interface FilmProps {
  block: VideoBlock;
  title: string;
  /** A film nobody pressed play on starts without sound. */
  isMuted: boolean;
}

function Film({ block, title, isMuted }: FilmProps) {
  const t = useTexts();
  const video = useRef<HTMLVideoElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const source = videoSource(block.videoUrl);
  // React does not write the attribute `muted`; without the property the browser would not let the film start.
  useEffect(() => {
    if (!video.current) return;
    video.current.muted = isMuted;
    void video.current.play().catch(() => undefined);
  }, [isMuted]);
  if (source.kind === "embed") {
    return <VideoFrame url={block.videoUrl} title={title} className="rounded-card shadow-raised" />;
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: captions where content has them, and a transcript below. */}
      <video
        ref={video}
        src={source.url}
        poster={(block.videoThumbnail ?? artFor("waves", block.id)).url}
        aria-label={title}
        controls
        playsInline
        preload="metadata"
        crossOrigin={block.captionsUrl ? "anonymous" : undefined}
        onError={() => setFailed(true)}
        className="aspect-16/9 w-full rounded-card bg-night-deep object-cover shadow-raised"
      >
        {block.captionsUrl && <track kind="captions" src={block.captionsUrl} default />}
      </video>
      {hasFailed && (
        <div className="mt-4">
          <Notice tone="danger">{t("player.failed")}</Notice>
        </div>
      )}
    </>
  );
}
