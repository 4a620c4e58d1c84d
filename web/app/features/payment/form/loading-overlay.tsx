import clsx from "clsx";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Spinner } from "~/ui/spinner/spinner";

/** After the response of the campaign call. */
const HIDE_DELAY_MS = 1_000;

/**
 * Shown over the page while its campaign loads, without blocking the content below. It is inside the header, away from
 * texts; on phones it is only announced. The server does not render it. Most responses arrive before its delay, so it
 * is rarely visible; otherwise it fades out within a second.
 */
export function LoadingOverlay({ isLoading }: { isLoading: boolean }) {
  const t = useTexts();
  const isVisible = useDelayedHide(isLoading);
  if (!isVisible) return null;
  // In a portal: inside the page a grid would lay it out as an item.
  return createPortal(
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-4 z-40 grid justify-items-end md:justify-items-center"
    >
      <p
        className={clsx(
          "flex items-center gap-2.5 rounded-pill bg-card p-2.5 text-sm font-semibold text-ink shadow-raised max-md:me-28 md:px-4 transition-opacity",
          isLoading ? "delay-250 duration-200 starting:opacity-0" : "opacity-0 duration-1000",
        )}
      >
        <Spinner className="text-action" />
        <span className="max-md:sr-only">{t("checkout.loading")}</span>
      </p>
    </div>,
    document.body,
  );
}

function useDelayedHide(isLoading: boolean): boolean {
  const [isVisible, setVisible] = useState(false);

  useEffect(() => {
    if (isLoading) return setVisible(true);
    const clear = setTimeout(() => setVisible(false), HIDE_DELAY_MS);
    return () => clearTimeout(clear);
  }, [isLoading]);

  return isVisible;
}
