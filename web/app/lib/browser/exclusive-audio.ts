/** One thing on a page sounds at a time: what begins quiets what sounded before. */

interface Pausable {
  pause: () => void;
}

let current: Pausable | null = null;

export function playExclusively(one: Pausable): void {
  if (current !== one) current?.pause();
  current = one;
}

/** Whether it was the one. */
export function releaseAudio(one: Pausable): boolean {
  if (current !== one) return false;
  current = null;
  return true;
}
