import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether this is a phone. False on the server: pages are the same for everyone. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    never,
    () => /Android.+Mobile|iPhone|iPod/i.test(navigator.userAgent),
    () => false,
  );
}

/** An iPad says it is a Mac; no Mac has fingers on its screen. */
export function isIos(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}
