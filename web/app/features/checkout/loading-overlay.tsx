import clsx from "clsx";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Spinner } from "~/ui/spinner/spinner";

/** After the answer of the campaign call. */
const CLEARED_AFTER_MS = 1_000;

/**
 * Over the page while its campaign is asked for, and in nobody's way: what is below can be read and pressed. It is no part of what
 * the server sends, so that the first paint waits for nothing. Most answers come before it is seen, and then it never is; else it
 * fades over the second that it stays.
 */
export function LoadingOverlay({ isLoading }: { isLoading: boolean }) {
  const t = useTexts();
  const isThere = useOverlay(isLoading);
  if (!isThere) return null;
  // Beside the page: inside, a container could take it for a part of its own.
  return createPortal(
    <div role="status" className="pointer-events-none fixed inset-x-0 top-20 z-40 grid justify-items-center">
      <p
        className={clsx(
          "flex items-center gap-2.5 rounded-pill bg-card px-4 py-2.5 text-sm font-semibold text-ink shadow-raised transition-opacity",
          isLoading ? "delay-250 duration-200 starting:opacity-0" : "opacity-0 duration-1000",
        )}
      >
        <Spinner className="text-action" />
        {t("checkout.loading")}
      </p>
    </div>,
    document.body,
  );
}

function useOverlay(isLoading: boolean): boolean {
  const [isThere, setThere] = useState(false);

  useEffect(() => {
    if (isLoading) return setThere(true);
    const clear = setTimeout(() => setThere(false), CLEARED_AFTER_MS);
    return () => clearTimeout(clear);
  }, [isLoading]);

  return isThere;
}
