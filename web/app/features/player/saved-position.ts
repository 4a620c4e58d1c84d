import { local } from "~/lib/browser/storage";

/** Stores the position of each recording in this browser only. */

const PREFIX = "position:";
/** Closer to either end, playback starts from the beginning. */
const EDGE_SECS = 8;

/** A duration of 0 is unknown: then only the start counts as an end. */
export function positionToSave(at: number, duration: number): number {
  const isAtEnd = duration > 0 && at > duration - EDGE_SECS;
  return at < EDGE_SECS || isAtEnd ? 0 : Math.floor(at);
}

export function savePosition(url: string, at: number, duration: number): void {
  const position = positionToSave(at, duration);
  if (position > 0) local.set(PREFIX + url, String(position));
  else local.remove(PREFIX + url);
}

export function savedPosition(url: string): number {
  const stored = Number(local.get(PREFIX + url));
  return Number.isFinite(stored) && stored > 0 ? stored : 0;
}
