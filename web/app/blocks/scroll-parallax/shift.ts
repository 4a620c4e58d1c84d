const FULL = 100;

/** Offset in percent of the picture's height: 0 in the middle of the window, at most 100. */
export function shiftOf(middleInView: number, viewHeight: number, percentage: number): number {
  if (viewHeight <= 0) return 0;
  const away = (middleInView - viewHeight / 2) / viewHeight;
  return clamp(away * clamp(percentage));
}

function clamp(percent: number): number {
  return Math.min(FULL, Math.max(-FULL, percent));
}
