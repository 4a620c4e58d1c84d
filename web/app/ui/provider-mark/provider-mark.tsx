import type { Provider } from "~/lib/social";
import marks from "./marks.svg?url";

/** The mark of somebody else's house beside their name. */
export function ProviderMark({ provider }: { provider: Provider }) {
  return (
    <svg width="18" height="18" aria-hidden="true" className="shrink-0">
      <use href={`${marks}#${provider}`} />
    </svg>
  );
}
