import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { playExclusively, releaseAudio } from "~/lib/browser/exclusive-audio";
import type { Recording } from "./media-keys";
import { jump } from "./seek";
import { useSavedPosition } from "./use-saved-position";

export type Phase = "idle" | "loading" | "playing" | "paused" | "failed";

export interface Player {
  phase: Phase;
  /** Seconds. */
  at: number;
  duration: number;
  /** End of the buffered part. */
  loaded: number;
  toggle: () => void;
  seek: (to: number) => void;
  skip: (by: number) => void;
}

interface Track extends Recording {
  url: string;
  durationSecs: number | null;
}

/** Loaded on first playback. */
const mediaKeys = () => import("./media-keys");

/** The state of an `<audio>` element, with its saved position and media keys. */
export function usePlayer(audio: RefObject<HTMLAudioElement | null>, track: Track): Player {
  const [phase, setPhase] = useState<Phase>("idle");
  const [at, setAt] = useState(0);
  const [loaded, setLoaded] = useState(0);
  const [duration, setDuration] = useState(track.durationSecs ?? 0);
  const wasPlayed = useRef(false);

  const seek = (to: number) => {
    if (!audio.current) return;
    audio.current.currentTime = to;
    setAt(to);
  };
  // From the element's own time, because keys can be faster than rendering.
  const skip = (by: number) => seek(jump(audio.current?.currentTime ?? 0, by, duration || null));
  const toggle = () => {
    const element = audio.current;
    if (!element) return;
    if (!element.paused) return element.pause();
    if (element.error) {
      element.load();
      // `load()` resets the time; the shown position stays.
      element.currentTime = at;
    }
    setPhase("loading");
    // Before playback starts, so that the last requested recording wins.
    playExclusively(element);
    element.play().catch(() => setPhase(element.error ? "failed" : "paused"));
  };
  useSavedPosition(audio, { url: track.url, duration, seek });

  const actions = useEffectEvent(() => ({ toggle, skip, seek }));
  const started = useEffectEvent((element: HTMLAudioElement) => {
    // A recording that was paused while loading may still fire `playing`.
    if (element.paused) return;
    setPhase("playing");
    wasPlayed.current = true;
    void mediaKeys().then(({ claimMediaKeys, reportPosition }) => {
      claimMediaKeys(element, track, () => actions());
      reportPosition(element);
    });
  });

  useEffect(() => {
    const element = audio.current;
    if (!element) return;
    const report = () => wasPlayed.current && mediaKeys().then(({ reportPosition }) => reportPosition(element));
    const readDuration = () => Number.isFinite(element.duration) && setDuration(element.duration);
    const readLoaded = () => setLoaded(loadedOf(element));
    // Events before hydration are not repeated, so the state is read once.
    readDuration();
    readLoaded();
    const stopFollowing = listen(element, {
      playing: () => started(element),
      waiting: () => setPhase("loading"),
      // Browsers pause a failed element.
      pause: () => setPhase(element.error ? "failed" : "paused"),
      // A failure before the first play is ignored; pressing play retries.
      error: () => setPhase((now) => (now === "idle" ? now : "failed")),
      timeupdate: () => setAt(element.currentTime),
      progress: readLoaded,
      durationchange: readDuration,
      seeked: report,
      ratechange: report,
    });
    return () => {
      stopFollowing();
      element.pause();
      if (releaseAudio(element)) void mediaKeys().then(({ releaseMediaKeys }) => releaseMediaKeys());
    };
  }, [audio]);

  return { phase, at, duration, loaded, toggle, seek, skip };
}

function listen(element: HTMLAudioElement, handlers: Record<string, () => unknown>): () => void {
  const stop = new AbortController();
  for (const [name, run] of Object.entries(handlers)) element.addEventListener(name, run, { signal: stop.signal });
  return () => stop.abort();
}

/** The end of the buffered range around the present time. */
function loadedOf({ buffered, currentTime }: HTMLAudioElement): number {
  for (let index = 0; index < buffered.length; index += 1) {
    if (buffered.start(index) <= currentTime && currentTime <= buffered.end(index)) return buffered.end(index);
  }
  return 0;
}
