import { useCallback, useEffect, useState } from "react";
import { loadPurchases, type Purchase } from "../api";

export type PurchasesState = { at: "loading" } | { at: "failed" } | { at: "known"; list: Purchase[] };

/** Loads one-time purchases once: they do not change while the page is open. */
export function usePurchases(): { state: PurchasesState; retry: () => void } {
  const [state, setState] = useState<PurchasesState>({ at: "loading" });
  const isLoading = state.at === "loading";
  useEffect(() => {
    if (!isLoading) return;
    let isCurrent = true;
    void loadPurchases().then((answer) => {
      if (!isCurrent) return;
      setState(answer.ok ? { at: "known", list: answer.value.purchases } : { at: "failed" });
    });
    return () => {
      isCurrent = false;
    };
  }, [isLoading]);
  const retry = useCallback(() => setState({ at: "loading" }), []);
  return { state, retry };
}
