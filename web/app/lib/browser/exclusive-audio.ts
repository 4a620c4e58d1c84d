/** One thing on a page sounds at a time: what begins quiets what sounded before. */

interface Sounding {
  pause: () => void;
}

let current: Sounding | null = null;

export function soundsNow(one: Sounding): void {
  if (current !== one) current?.pause();
  current = one;
}

/** Whether it was the one. */
export function soundsNoMore(one: Sounding): boolean {
  if (current !== one) return false;
  current = null;
  return true;
}
