import { useCallback, useSyncExternalStore } from "react";

/** Whether a media query holds; false on the server, because a page is the same for everybody. */
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

/** Asked at the moment something is about to move. */
export function wantsCalm(): boolean {
  return window.matchMedia(REDUCED_MOTION).matches;
}

/** Captions from elsewhere load only where the recording is asked for without credentials; all others need nothing of the kind. */
export function crossOriginFor(captionsUrl: string | null | undefined): "anonymous" | undefined {
  return captionsUrl?.startsWith("https:") ? "anonymous" : undefined;
}
