import { videoSource } from "./source";

interface VideoFrameProps {
  url: string;
  title: string;
  poster?: string | undefined;
  className?: string;
}

/** A video that plays at once: mounted because somebody asked for it, unmounted to stop it. */
export function VideoFrame({ url, title, poster, className }: VideoFrameProps) {
  const source = videoSource(url);
  const look = `aspect-16/9 w-full bg-night-deep ${className ?? ""}`;
  if (source.kind === "embed") {
    return (
      <iframe
        src={source.url}
        title={title}
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        referrerPolicy="strict-origin-when-cross-origin"
        className={look}
      />
    );
  }
  return (
    // biome-ignore lint/a11y/useMediaCaption: content names no captions for a film that opens in a dialog.
    <video src={source.url} poster={poster} aria-label={title} controls autoPlay playsInline className={look} />
  );
}
