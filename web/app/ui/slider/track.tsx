import type { ReactNode, Ref } from "react";

interface TrackProps {
  ref: Ref<HTMLUListElement>;
  className?: string;
  children: ReactNode;
}

/** The row of slides, scrolled by touch, wheel, keyboard or the controls. */
export function Track({ ref, className, children }: TrackProps) {
  return (
    <ul
      ref={ref}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className={`slider flex snap-x snap-mandatory overflow-x-auto rounded-card ${className ?? "gap-6"}`}
    >
      {children}
    </ul>
  );
}
