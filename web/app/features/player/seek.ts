export const SKIP_SECS = 15;
/** What an arrow key on the bar moves by. */
export const STEP_SECS = 5;

/** Where a jump leads: never before the beginning, never past the end. */
export function jump(at: number, by: number, duration: number): number {
  return Math.min(Math.max(0, at + by), Math.max(0, duration));
}
