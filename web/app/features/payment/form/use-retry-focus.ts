import { type RefObject, useEffect, useRef } from "react";

interface RetryFocus {
  /** Where what comes of another try stands. */
  place: RefObject<HTMLDivElement | null>;
  retry: () => void;
}

/** The button that asks for another try goes with its notice: whoever pressed it goes on at what comes of it, not at the top. */
export function useRetryFocus(retry: () => void, isOver: boolean): RetryFocus {
  const place = useRef<HTMLDivElement>(null);
  const wasAsked = useRef(false);

  useEffect(() => {
    if (!isOver || !wasAsked.current) return;
    wasAsked.current = false;
    if (document.activeElement === document.body) place.current?.focus();
  }, [isOver]);

  return {
    place,
    retry: () => {
      wasAsked.current = true;
      retry();
    },
  };
}
