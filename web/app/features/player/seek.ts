export const SKIP_SECS = 15;
/** What an arrow key on the bar moves by. */
export const STEP_SECS = 5;

/** Where a jump leads: never before the beginning, never past the end. While the duration is unknown (`null`) there is no end. */
export function jump(at: number, by: number, duration: number | null): number {
  return Math.min(Math.max(0, at + by), duration ?? Number.POSITIVE_INFINITY);
}
