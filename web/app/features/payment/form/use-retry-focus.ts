import { type RefObject, useEffect, useRef } from "react";

interface RetryFocus {
  /** Where what comes of another try stands. */
  container: RefObject<HTMLDivElement | null>;
  retry: () => void;
}

/** The button that asks for another try goes with its notice: whoever pressed it goes on at what comes of it, not at the top. */
export function useRetryFocus(retry: () => void, isOver: boolean): RetryFocus {
  const container = useRef<HTMLDivElement>(null);
  const wasRetried = useRef(false);

  useEffect(() => {
    if (!isOver || !wasRetried.current) return;
    wasRetried.current = false;
    if (document.activeElement === document.body) container.current?.focus();
  }, [isOver]);

  return {
    container,
    retry: () => {
      wasRetried.current = true;
      retry();
    },
  };
}
