import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { playExclusively, releaseAudio } from "~/lib/browser/exclusive-audio";
import { crossOriginFor } from "~/lib/browser/media";
import { useTexts } from "~/lib/i18n";
import { localeOf } from "~/lib/locale";
import { Notice } from "../notice/notice";
import { videoSource } from "./source";

interface VideoFrameProps {
  url: string;
  title: string;
  poster?: string | undefined;
  captionsUrl?: string | null;
  /** Autoplay: starts muted and leaves the focus. */
  isUnasked?: boolean;
  /** Replaces the pressed button, so it takes the focus. */
  takesFocus?: boolean;
  className?: string;
}

/** A video that plays on mount; unmounting stops it. */
export function VideoFrame(props: VideoFrameProps) {
  const source = videoSource(props.url);
  const className = `aspect-16/9 w-full bg-night-deep ${props.className ?? ""}`;
  return source.kind === "embed" ? (
    <Embedded {...props} url={source.url} className={className} />
  ) : (
    <Film {...props} url={source.url} className={className} />
  );
}

function Embedded({ url, title, takesFocus, className }: VideoFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const { origin } = new URL(url);
    const say = (message: object) => frame.current?.contentWindow?.postMessage(JSON.stringify(message), origin);
    // The first is YouTube's parameter, the second Vimeo's; each ignores the other.
    const sound = {
      pause: () => {
        say({ event: "command", func: "pauseVideo", args: [] });
        say({ method: "pause" });
      },
    };
    playExclusively(sound);
    return () => void releaseAudio(sound);
  }, [url]);
  useFocus(frame, takesFocus);
  return (
    <iframe
      ref={frame}
      src={url}
      title={title}
      allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
      referrerPolicy="strict-origin-when-cross-origin"
      className={className}
    />
  );
}

function Film({ url, title, poster, captionsUrl, isUnasked = false, takesFocus, className }: VideoFrameProps) {
  const t = useTexts();
  const video = useRef<HTMLVideoElement>(null);
  const [hasFailed, setFailed] = useState(false);
  // React does not write the `muted` attribute, and the browser blocks autoplay without the property.
  useEffect(() => {
    const film = video.current;
    if (!film) return;
    film.muted = isUnasked;
    void film.play().catch(() => undefined);
    return () => void releaseAudio(film);
  }, [isUnasked]);
  useFocus(video, takesFocus);
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: captions where content has them, and a transcript beside it. */}
      <video
        ref={video}
        src={url}
        poster={poster}
        aria-label={title}
        controls
        playsInline
        preload="metadata"
        crossOrigin={crossOriginFor(captionsUrl)}
        onPlay={(event) => sound(event.currentTarget)}
        onVolumeChange={(event) => sound(event.currentTarget)}
        onError={() => setFailed(true)}
        className={className}
      >
        {captionsUrl && <Captions url={captionsUrl} />}
      </video>
      {hasFailed && (
        <div className="p-2">
          <Notice tone="danger">{t("video.failed")}</Notice>
        </div>
      )}
    </>
  );
}

function Captions({ url }: { url: string }) {
  const t = useTexts();
  return (
    <track kind="captions" src={url} srcLang={localeOf(useLocation().pathname)} label={t("video.captions")} default />
  );
}

/** A muted video does not pause others. */
function sound(film: HTMLVideoElement): void {
  if (!film.muted && !film.paused) playExclusively(film);
}

function useFocus(element: { current: HTMLElement | null }, takesFocus = false): void {
  useEffect(() => {
    if (takesFocus) element.current?.focus({ preventScroll: true });
  }, [element, takesFocus]);
}
