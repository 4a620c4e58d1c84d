import { useEffect, useState } from "react";
import { type Erasure, loadErasure } from "../api";

const FIRST_POLL_MS = 1_000;
const MAX_POLL_MS = 5_000;

export type ReceiptState = { at: "loading" } | { at: "unknown" } | { at: "known"; erasure: Erasure };

/** Polls until the erasure is finished, with growing delays; failed polls are repeated. */
export function useErasureReceipt(id: string): ReceiptState {
  const [receipt, setReceipt] = useState<ReceiptState>({ at: "loading" });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isCurrent = true;
    const ask = async (wait: number) => {
      const answer = await loadErasure(id);
      if (!isCurrent) return;
      if (answer.ok) setReceipt({ at: "known", erasure: answer.value });
      else if (answer.problem.status === 404) return setReceipt({ at: "unknown" });
      if (answer.ok && answer.value.finished_at) return;
      timer = setTimeout(() => void ask(Math.min(wait * 2, MAX_POLL_MS)), wait);
    };
    void ask(FIRST_POLL_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [id]);

  return receipt;
}
