import { type ReactNode, useId } from "react";

interface PopupProps {
  /** The button's accessible name, where its content is not enough. */
  name?: string;
  /** Content of the button. */
  trigger: ReactNode;
  triggerClass: string;
  className?: string;
  children: ReactNode;
}

/** A native popover: it opens without scripts, closes on Escape and on an outside click, and restores focus. */
export function Popup({ name, trigger, triggerClass, className, children }: PopupProps) {
  const id = useId();
  return (
    <>
      <button type="button" popoverTarget={id} aria-label={name} className={triggerClass}>
        {trigger}
      </button>
      <div id={id} popover="auto" className={`popup ${className ?? ""}`}>
        {children}
      </div>
    </>
  );
}
