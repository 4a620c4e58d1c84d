import clsx from "clsx";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useTexts } from "~/lib/i18n";
import "~/lib/i18n/journeys";
import { Spinner } from "~/ui/spinner/spinner";

/** After the answer of the campaign call. */
const HIDE_DELAY_MS = 1_000;

/**
 * Over the page while its campaign is asked for, and in nobody's way: what is below can be read and pressed. It stands within the
 * header, where no words are, neither before the answer nor while it leaves; on phones its own are read out alone. It is no part of
 * what the server sends, so that the first paint waits for nothing. Most answers come before it is seen, and then it never is; else
 * it fades over the second that it stays.
 */
export function LoadingOverlay({ isLoading }: { isLoading: boolean }) {
  const t = useTexts();
  const isVisible = useDelayedHide(isLoading);
  if (!isVisible) return null;
  // Beside the page: inside, a container could take it for a part of its own.
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
