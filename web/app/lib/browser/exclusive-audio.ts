/** Only one media element plays at a time: starting one pauses the other. */

interface Pausable {
  pause: () => void;
}

let current: Pausable | null = null;

export function playExclusively(one: Pausable): void {
  if (current !== one) current?.pause();
  current = one;
}

/** Returns whether the element was the playing one. */
export function releaseAudio(one: Pausable): boolean {
  if (current !== one) return false;
  current = null;
  return true;
}
