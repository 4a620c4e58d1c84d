import { useEffect, useState } from "react";

const SECOND_MS = 1_000;

/** Seconds left, down to 0. Measured by the clock, so that a suspended tab stays correct. */
export function useCountdown(seconds: number): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = Date.now() + seconds * SECOND_MS;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - Date.now()) / SECOND_MS));
      setLeft(rest);
      if (rest === 0) clearInterval(timer);
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
