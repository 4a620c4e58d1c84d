import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether the device is a phone. False on the server, because cached HTML is the same for everyone. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    never,
    () => /Android.+Mobile|iPhone|iPod/i.test(navigator.userAgent),
    () => false,
  );
}

/** An iPad identifies itself as a Mac, but no Mac has a touch screen. */
export function isIos(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}
