import { type RefObject, useEffect, useState, useSyncExternalStore } from "react";

/** 0 until it is laid out. */
export function useElementWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const observer = new ResizeObserver(() => setWidth(watched.clientWidth));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

const DARK = "(prefers-color-scheme: dark)";

export function useIsDark(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const scheme = window.matchMedia(DARK);
      scheme.addEventListener("change", listener);
      return () => scheme.removeEventListener("change", listener);
    },
    () => window.matchMedia(DARK).matches,
    () => false,
  );
}

/** True after a delay, or when the pointer or focus reaches the buttons. */
export function useScriptsWanted(element: RefObject<HTMLElement | null>, delayMs: number): boolean {
  const [awake, setAwake] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const wake = () => setAwake(true);
    const timer = setTimeout(wake, delayMs);
    for (const touch of ["pointerover", "focusin"]) {
      element.current?.addEventListener(touch, wake, { once: true, signal: stop.signal });
    }
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [element, delayMs]);
  return awake;
}
