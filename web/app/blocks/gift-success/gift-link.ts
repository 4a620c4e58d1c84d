import { useEffect, useState } from "react";
import { useQuery } from "~/lib/browser/query";
import { resolveRedirect } from "~/lib/links/resolve-redirect";

/**
 * The gift's URL from the query, if the gateway allows it, because it is sent to a friend; undefined: not known yet.
 */
export function useGiftLink(): string | null | undefined {
  const query = useQuery();
  const [link, setLink] = useState<string | null>();
  useEffect(() => {
    if (!query) return;
    let isCurrent = true;
    const requestedUrl = query.get("url");
    void (requestedUrl ? resolveRedirect("url", requestedUrl) : Promise.resolve(null)).then(
      (to) => isCurrent && setLink(to),
    );
    return () => {
      isCurrent = false;
    };
  }, [query]);
  return link;
}
