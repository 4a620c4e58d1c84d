export interface Fade {
  /** Pixels it rises. */
  offset: number;
  delayMs: number;
  durationMs: number;
}

export const FADE_IN_UP: Fade = { offset: 50, delayMs: 2_500, durationMs: 2_500 };

/** The style sheet turns these into the movement. */
export function fadeAttributes({ offset, delayMs, durationMs }: Fade) {
  return { "data-fade-offset": offset, "data-fade-delay": delayMs, "data-fade-duration": durationMs };
}
