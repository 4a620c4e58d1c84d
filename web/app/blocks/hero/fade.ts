export interface Fade {
  /** Distance in pixels. */
  offset: number;
  delayMs: number;
  durationMs: number;
}

export const FADE_IN_UP: Fade = { offset: 50, delayMs: 2_500, durationMs: 2_500 };

/** Classes that the style sheet animates. */
export function fadeAttributes({ offset, delayMs, durationMs }: Fade) {
  return { "data-fade-offset": offset, "data-fade-delay": delayMs, "data-fade-duration": durationMs };
}
