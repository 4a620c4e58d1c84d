import { type RefObject, useRef, useState } from "react";

/** Opens and closes the form for a new card. */
export interface CardFormControl {
  isOpen: boolean;
  /** Wraps the button that opens the form. */
  opener: RefObject<HTMLSpanElement | null>;
  open: () => void;
  /** Closes the form and focuses the button. */
  leave: () => void;
  /** The card is saved; its notice takes the focus. */
  finish: () => void;
}

export function useCardForm(): CardFormControl {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLSpanElement>(null);
  return {
    isOpen,
    opener,
    open: () => setOpen(true),
    leave: () => {
      setOpen(false);
      // The button is mounted in the next frame.
      requestAnimationFrame(() => opener.current?.querySelector("button")?.focus());
    },
    finish: () => setOpen(false),
  };
}
