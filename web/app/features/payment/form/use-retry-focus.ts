import { type RefObject, useEffect, useRef } from "react";

interface RetryFocus {
  /** Container of the retried content. */
  container: RefObject<HTMLDivElement | null>;
  retry: () => void;
}

/** The retry button disappears with its notice: focus moves to the new content instead of the top of the page. */
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
