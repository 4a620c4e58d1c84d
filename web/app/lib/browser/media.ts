import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query matches; false on the server, because cached HTML is the same for everyone. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  );
}

export const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

/** Read when an animation is about to start. */
export function wantsCalm(): boolean {
  return window.matchMedia(REDUCED_MOTION).matches;
}

/** Captions of another origin load only with CORS; same-origin captions need no attribute. */
export function crossOriginFor(captionsUrl: string | null | undefined): "anonymous" | undefined {
  return captionsUrl?.startsWith("https:") ? "anonymous" : undefined;
}
