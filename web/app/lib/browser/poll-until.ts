/** Polls with growing delays until a result is there. */

const DELAYS_SECS = [1, 2, 3, 5, 8, 13, 21, 30] as const;
const SLOWEST_SECS = 30;

export function delayAfter(round: number): number {
  return (DELAYS_SECS[round] ?? SLOWEST_SECS) * 1_000;
}

/** Null: aborted. */
export async function pollUntil<T>(poll: () => Promise<T | null>, signal: AbortSignal): Promise<T | null> {
  for (let round = 0; !signal.aborted; round += 1) {
    const answer = await poll();
    if (signal.aborted) return null;
    if (answer !== null) return answer;
    await sleep(delayAfter(round), signal);
  }
  return null;
}

/** Ends early when the tab becomes visible or the connection returns. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      over.abort();
      resolve();
    }
    const watched = { signal: over.signal };
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && end(), watched);
    addEventListener("online", end, watched);
    signal.addEventListener("abort", end, watched);
  });
}
