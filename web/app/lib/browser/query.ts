import { useMemo } from "react";
import { useLocation } from "react-router";
import { useHydrated } from "./hydrated";

/** The query of this visit; none on the server and while hydrating, because a page is the same for everybody. */
export function useQuery(): URLSearchParams | null {
  const { search } = useLocation();
  const alive = useHydrated();
  return useMemo(() => (alive ? new URLSearchParams(search) : null), [alive, search]);
}
