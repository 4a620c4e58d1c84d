import { useLayoutEffect } from "react";

/** Marks the document as unpaid, which hides the success content. Null: leaves the mark of the inline script. */
export function useUnpaidAttribute(isUnpaid: boolean | null): void {
  useLayoutEffect(() => {
    if (isUnpaid === null) return;
    const root = document.documentElement;
    root.toggleAttribute("data-unpaid", isUnpaid);
    return () => root.removeAttribute("data-unpaid");
  }, [isUnpaid]);
}
