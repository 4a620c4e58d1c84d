import { SKIP_SECS } from "./seek";

/** Play, pause and seek by media keys and the lock screen. */

export interface Recording {
  title: string;
  artist: string;
  artwork: string | null;
}

interface Actions {
  toggle: () => void;
  skip: (by: number) => void;
  seek: (to: number) => void;
}

const KEYS = ["play", "pause", "stop", "seekbackward", "seekforward", "seekto"] as const;

/**
 * Takes the media keys from the previous recording. `actions` is called on each press, because it depends on the state.
 */
export function claimMediaKeys(element: HTMLMediaElement, recording: Recording, actions: () => Actions): void {
  if (!("mediaSession" in navigator)) return;
  const { title, artist, artwork } = recording;
  navigator.mediaSession.metadata = new MediaMetadata({
    title,
    artist,
    artwork: artwork ? [{ src: artwork, sizes: "any", type: "image/svg+xml" }] : [],
  });
  const run: Record<(typeof KEYS)[number], MediaSessionActionHandler> = {
    play: () => element.paused && actions().toggle(),
    pause: () => element.pause(),
    stop: () => element.pause(),
    seekbackward: ({ seekOffset }) => actions().skip(-(seekOffset ?? SKIP_SECS)),
    seekforward: ({ seekOffset }) => actions().skip(seekOffset ?? SKIP_SECS),
    seekto: ({ seekTime }) => seekTime != null && actions().seek(seekTime),
  };
  for (const key of KEYS) setHandler(key, run[key]);
}

export function releaseMediaKeys(): void {
  if (!("mediaSession" in navigator)) return;
  navigator.mediaSession.metadata = null;
  for (const key of KEYS) setHandler(key, null);
}

/** Updates the progress bar of the lock screen. */
export function reportPosition({ currentTime, duration, playbackRate }: HTMLMediaElement): void {
  if (!("mediaSession" in navigator) || !("setPositionState" in navigator.mediaSession)) return;
  if (!Number.isFinite(duration) || duration <= 0) return;
  navigator.mediaSession.setPositionState({ duration, playbackRate, position: Math.min(currentTime, duration) });
}

function setHandler(key: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
  try {
    navigator.mediaSession.setActionHandler(key, handler);
  } catch {
    // Unsupported actions throw.
  }
}
