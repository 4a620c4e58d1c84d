import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and while hydrating, because a page is the same for everybody. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
