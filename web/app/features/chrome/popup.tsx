import { type ReactNode, useId } from "react";

interface PopupProps {
  /** What the button says, where that is not what it shows. */
  name?: string;
  /** What the button shows. */
  trigger: ReactNode;
  triggerClass: string;
  className?: string;
  children: ReactNode;
}

/** A native popover: opens before any script has run, closes on Escape and on a press elsewhere, and gives focus back by itself. */
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
