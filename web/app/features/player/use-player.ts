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
  /** Up to where it can be heard without waiting. */
  loaded: number;
  toggle: () => void;
  seek: (to: number) => void;
  skip: (by: number) => void;
}

interface Track extends Recording {
  url: string;
  durationSecs: number | null;
}

/** Nobody needs them before something was played. */
const mediaKeys = () => import("./media-keys");

/** An `<audio>` element as state, with the place somebody stopped at and the keys of their keyboard or headphones. */
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
  // From where it is, not from where it was last drawn: keys can come faster than pictures.
  const skip = (by: number) => seek(jump(audio.current?.currentTime ?? 0, by, duration || null));
  const toggle = () => {
    const element = audio.current;
    if (!element) return;
    if (!element.paused) return element.pause();
    if (element.error) {
      element.load();
      // Loading anew begins at nothing; the place is still the one shown.
      element.currentTime = at;
    }
    setPhase("loading");
    // At once, not when it is there: what was asked for last is heard, whichever comes first.
    playExclusively(element);
    element.play().catch(() => setPhase(element.error ? "failed" : "paused"));
  };
  useSavedPosition(audio, { url: track.url, duration, seek });

  const actions = useEffectEvent(() => ({ toggle, skip, seek }));
  const started = useEffectEvent((element: HTMLAudioElement) => {
    // What was quieted on its way may still arrive.
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
    // The element is on the page before React is: events that fired until now are not repeated, so its state is read once.
    readDuration();
    readLoaded();
    const stopFollowing = listen(element, {
      playing: () => started(element),
      waiting: () => setPhase("loading"),
      // Browsers pause what has failed.
      pause: () => setPhase(element.error ? "failed" : "paused"),
      // What fails before anybody wants to hear it is tried again when somebody does.
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

function listen(element: HTMLAudioElement, heard: Record<string, () => unknown>): () => void {
  const stop = new AbortController();
  for (const [name, run] of Object.entries(heard)) element.addEventListener(name, run, { signal: stop.signal });
  return () => stop.abort();
}

/** The end of the stretch that holds the present moment. */
function loadedOf({ buffered, currentTime }: HTMLAudioElement): number {
  for (let index = 0; index < buffered.length; index += 1) {
    if (buffered.start(index) <= currentTime && currentTime <= buffered.end(index)) return buffered.end(index);
  }
  return 0;
}
