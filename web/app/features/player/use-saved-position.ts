import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { savedPosition, savePosition } from "./saved-position";

interface Recording {
  url: string;
  /** Seconds. */
  duration: number;
  seek: (to: number) => void;
}

const SAVE_EVERY_SECS = 5;

/** Starts at the saved position, and saves it during playback. */
export function useSavedPosition(audio: RefObject<HTMLAudioElement | null>, { url, duration, seek }: Recording): void {
  const lastKept = useRef(0);
  const begin = useEffectEvent(() => {
    const stored = savedPosition(url);
    if (stored > 0) seek(stored);
  });
  const keep = useEffectEvent((at: number) => {
    lastKept.current = at;
    savePosition(url, at, duration);
  });

  useEffect(() => {
    const element = audio.current;
    if (!element) return;
    begin();
    const stop = new AbortController();
    const { signal } = stop;
    const keepNow = () => keep(element.currentTime);
    const keepNowAndThen = () => Math.abs(element.currentTime - lastKept.current) >= SAVE_EVERY_SECS && keepNow();
    element.addEventListener("pause", keepNow, { signal });
    element.addEventListener("timeupdate", keepNowAndThen, { signal });
    window.addEventListener("pagehide", keepNow, { signal });
    return () => {
      stop.abort();
      if (!element.paused) keepNow();
    };
  }, [audio]);
}
