import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False on the server and while hydrating, because a page is the same for everybody. */
export function useAlive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
