import { useState } from "react";
import { type Problem, postJson } from "~/lib/http/request";

export const DIGITS_MAX = 8;

/** The digits are stored neither here nor on the server. */
interface BinAnswer {
  data: { error: boolean };
}

export interface BinCheck {
  digits: string;
  status: "unchecked" | "checking" | "eligible" | "rejected";
  problem: Problem | null;
  type: (typed: string) => void;
  ask: () => Promise<void>;
  reset: () => void;
}

/** Checks by its first digits whether the offer is valid for a card. */
export function useBinCheck(): BinCheck {
  const [digits, setDigits] = useState("");
  const [status, setStatus] = useState<BinCheck["status"]>("unchecked");
  const [problem, setProblem] = useState<Problem | null>(null);

  const reset = () => {
    setStatus("unchecked");
    setProblem(null);
  };
  const type = (typed: string) => {
    // Card numbers are grouped and pasted whole; only the first digits are kept.
    setDigits(typed.replace(/\D/g, "").slice(0, DIGITS_MAX));
    reset();
  };
  const ask = async () => {
    if (digits === "" || status === "checking") return;
    setProblem(null);
    setStatus("checking");
    const answer = await postJson<BinAnswer>("/bincheck", { body: { card: digits } });
    if (answer.ok) {
      setStatus(answer.value.data.error ? "rejected" : "eligible");
    } else {
      setProblem(answer.problem);
      setStatus("unchecked");
    }
  };
  return { digits, status, problem, type, ask, reset };
}
