import { useMemo } from "react";
import { useLocation } from "react-router";
import { useHydrated } from "./hydrated";

/** The query of this visit; null on the server and during hydration, because cached HTML is the same for everyone. */
export function useQuery(): URLSearchParams | null {
  const { search } = useLocation();
  const isHydrated = useHydrated();
  return useMemo(() => (isHydrated ? new URLSearchParams(search) : null), [isHydrated, search]);
}
