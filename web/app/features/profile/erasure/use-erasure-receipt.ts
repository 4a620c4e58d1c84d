import { useEffect, useState } from "react";
import { type Erasure, loadErasure } from "../api";

const SOON_MS = 1_000;
const LATEST_MS = 5_000;

export type Receipt = { at: "asking" } | { at: "unknown" } | { at: "known"; erasure: Erasure };

/** Asks until it is done, less and less often. An answer that does not come is asked for again. */
export function useReceipt(id: string): Receipt {
  const [receipt, setReceipt] = useState<Receipt>({ at: "asking" });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let wanted = true;
    const ask = async (wait: number) => {
      const answer = await loadErasure(id);
      if (!wanted) return;
      if (answer.ok) setReceipt({ at: "known", erasure: answer.value });
      else if (answer.problem.status === 404) return setReceipt({ at: "unknown" });
      if (answer.ok && answer.value.finished_at) return;
      timer = setTimeout(() => void ask(Math.min(wait * 2, LATEST_MS)), wait);
    };
    void ask(SOON_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [id]);

  return receipt;
}
