import { createContext, type ReactNode, use } from "react";
import { useQuery } from "~/lib/browser/query";
import { trackingOf, withTracking } from "~/lib/tracking";

const Tracked = createContext(false);

/** Adds the visit's tracking parameters to buttons inside. */
export function TrackedLinks({ children }: { children: ReactNode }) {
  return <Tracked value={true}>{children}</Tracked>;
}

/** The button's URL, with tracking parameters where the block asks for them. */
export function useTracked(url: string): string {
  const isTracked = use(Tracked);
  const query = useQuery();
  return isTracked && query ? withTracking(url, trackingOf(query)) : url;
}
