import { local } from "~/lib/browser/storage";

/** Where somebody stopped listening, so that they can go on there: kept on their device alone. */

const PREFIX = "heard:";
/** Nearer to either end than this, starting over is what is wanted. */
const EDGE_SECS = 8;

/** A duration of 0 is one that is not known yet: then only the beginning is an end. */
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
  const kept = Number(local.get(PREFIX + url));
  return Number.isFinite(kept) && kept > 0 ? kept : 0;
}
