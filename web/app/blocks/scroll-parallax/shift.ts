const FULL = 100;

/** Percent of its own height a picture is moved by: none while it stands in the middle of the window, never more than all of it. */
export function shiftOf(middleInView: number, viewHeight: number, percentage: number): number {
  if (viewHeight <= 0) return 0;
  const away = (middleInView - viewHeight / 2) / viewHeight;
  return clamp(away * clamp(percentage));
}

function clamp(percent: number): number {
  return Math.min(FULL, Math.max(-FULL, percent));
}
