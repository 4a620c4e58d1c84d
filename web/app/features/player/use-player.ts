import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { keepPosition, keptPosition } from "./position";
import { jump } from "./seek";

export type Phase = "idle" | "loading" | "playing" | "paused" | "failed";

export interface Player {
  phase: Phase;
  /** Seconds. */
  at: number;
  duration: number;
  toggle: () => void;
  seek: (to: number) => void;
  skip: (by: number) => void;
}

interface Track {
  url: string;
  title: string;
  artist: string;
  artwork: string | null;
  durationSecs: number | null;
}

const KEEP_EVERY_SECS = 5;
export const SKIP_SECS = 15;

/** One sound of the page plays at a time. */
let sounding: HTMLAudioElement | null = null;

/** An `<audio>` element as state, with the place somebody stopped at and the keys of their keyboard or headphones. */
export function usePlayer(audio: RefObject<HTMLAudioElement | null>, track: Track): Player {
  const [phase, setPhase] = useState<Phase>("idle");
  const [at, setAt] = useState(0);
  const [duration, setDuration] = useState(track.durationSecs ?? 0);
  const lastKept = useRef(0);

  const seek = useEffectEvent((to: number) => {
    if (!audio.current) return;
    audio.current.currentTime = to;
    setAt(to);
  });
  const toggle = useEffectEvent(() => {
    const element = audio.current;
    if (!element) return;
    if (!element.paused) return element.pause();
    if (phase === "failed") element.load();
    setPhase("loading");
    element.play().catch(() => setPhase(element.error ? "failed" : "paused"));
  });
  const skip = useEffectEvent((by: number) => seek(jump(at, by, duration)));
  const remember = useEffectEvent(() => keepPosition(track.url, audio.current?.currentTime ?? 0, duration));
  const started = useEffectEvent((element: HTMLAudioElement) => {
    if (sounding !== element) sounding?.pause();
    sounding = element;
    setPhase("playing");
    holdMediaKeys(track, { toggle, skip, seek });
  });
  const moved = useEffectEvent((element: HTMLAudioElement) => {
    setAt(element.currentTime);
    if (Math.abs(element.currentTime - lastKept.current) < KEEP_EVERY_SECS) return;
    lastKept.current = element.currentTime;
    remember();
  });

  useEffect(() => {
    const element = audio.current;
    if (!element) return;
    const kept = keptPosition(track.url);
    if (kept > 0) seek(kept);
    const stop = new AbortController();
    const on = (name: string, run: () => void) => element.addEventListener(name, run, { signal: stop.signal });
    on("playing", () => started(element));
    on("waiting", () => setPhase("loading"));
    on("pause", () => {
      setPhase("paused");
      remember();
    });
    on("timeupdate", () => moved(element));
    on("durationchange", () => Number.isFinite(element.duration) && setDuration(element.duration));
    on("error", () => setPhase("failed"));
    window.addEventListener("pagehide", remember, { signal: stop.signal });
    return () => {
      stop.abort();
      element.pause();
      if (sounding === element) sounding = null;
    };
  }, [audio, track.url]);

  return { phase, at, duration, toggle: () => toggle(), seek: (to) => seek(to), skip: (by) => skip(by) };
}

/** Play and pause on the keyboard, the lock screen and headphones. */
function holdMediaKeys(track: Track, player: Pick<Player, "toggle" | "skip" | "seek">): void {
  if (!("mediaSession" in navigator)) return;
  const { title, artist, artwork } = track;
  navigator.mediaSession.metadata = new MediaMetadata({
    title,
    artist,
    artwork: artwork ? [{ src: artwork, sizes: "600x600" }] : [],
  });
  const keys: [MediaSessionAction, MediaSessionActionHandler][] = [
    ["play", () => player.toggle()],
    ["pause", () => player.toggle()],
    ["seekbackward", ({ seekOffset }) => player.skip(-(seekOffset ?? SKIP_SECS))],
    ["seekforward", ({ seekOffset }) => player.skip(seekOffset ?? SKIP_SECS)],
    ["seekto", ({ seekTime }) => seekTime != null && player.seek(seekTime)],
  ];
  for (const [key, run] of keys) navigator.mediaSession.setActionHandler(key, run);
}
