import { useLayoutEffect } from "react";

/** Only the outcome and the footer are left of a page that thanks, while there is nothing to thank for. Null: as the page says itself. */
export function useUnpaidAttribute(isUnpaid: boolean | null): void {
  useLayoutEffect(() => {
    if (isUnpaid === null) return;
    const root = document.documentElement;
    root.toggleAttribute("data-unpaid", isUnpaid);
    return () => root.removeAttribute("data-unpaid");
  }, [isUnpaid]);
}
