export const SKIP_SECS = 15;
/** Step of an arrow key on the bar. */
export const STEP_SECS = 5;

/** The target of a seek, within the recording. `null`: unknown duration, no upper limit. */
export function jump(at: number, by: number, duration: number | null): number {
  return Math.min(Math.max(0, at + by), duration ?? Number.POSITIVE_INFINITY);
}
