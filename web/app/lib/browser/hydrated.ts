import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and during hydration, because cached HTML is the same for everyone. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
