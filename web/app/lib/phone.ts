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
