import type { Provider } from "~/lib/social";
import marks from "./marks.svg?url";

/** The provider's icon beside its name. */
export function ProviderMark({ provider }: { provider: Provider }) {
  return (
    <svg width="18" height="18" aria-hidden="true" className="shrink-0">
      <use href={`${marks}#${provider}`} />
    </svg>
  );
}
