import { type RefObject, useRef, useState } from "react";

/** The form for another card, and the button that opens it: each stands where it is looked for. */
export interface CardFormControl {
  isOpen: boolean;
  /** Around the button. */
  opener: RefObject<HTMLSpanElement | null>;
  open: () => void;
  /** Back to the button. */
  leave: () => void;
  /** The card is saved: what became of it takes the focus. */
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
      // The button comes back with the next drawing.
      requestAnimationFrame(() => opener.current?.querySelector("button")?.focus());
    },
    finish: () => setOpen(false),
  };
}
