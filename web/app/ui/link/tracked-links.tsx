import { createContext, type ReactNode, use } from "react";
import { useQuery } from "~/lib/browser/query";
import { trackingOf, withTracking } from "~/lib/tracking";

const Tracked = createContext(false);

/** Buttons in here take the allowed tracking parameters of this visit along. */
export function TrackedLinks({ children }: { children: ReactNode }) {
  return <Tracked value={true}>{children}</Tracked>;
}

/** The address a button leads to: as content has it, or with the visit's parameters where the block asks for them. */
export function useTracked(url: string): string {
  const isTracked = use(Tracked);
  const query = useQuery();
  return isTracked && query ? withTracking(url, trackingOf(query)) : url;
}
