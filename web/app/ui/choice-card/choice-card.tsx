import type { ReactNode } from "react";
import { Icon } from "../icon/icon";

interface ChoiceCardProps {
  /** The radio group. */
  group: string;
  value: string | number;
  checked: boolean;
  onSelect: () => void;
  className: string;
  children: ReactNode;
}

/** A radio button as large as a card. */
export function ChoiceCard({ group, value, checked, onSelect, className, children }: ChoiceCardProps) {
  return (
    <label
      data-card
      className={`group relative flex rounded-card border-2 border-transparent bg-card shadow-raised transition duration-200 ease-enter hover:border-hairline has-checked:border-action has-checked:bg-[color-mix(in_oklab,var(--color-action)_11%,var(--color-card))] has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-action ${className}`}
    >
      <input type="radio" name={group} value={value} checked={checked} onChange={onSelect} className="sr-only" />
      {children}
    </label>
  );
}

/** Filled while its card is selected. */
export function ChoiceTick() {
  return (
    <span className="grid size-6 shrink-0 place-items-center rounded-pill border-2 border-field text-transparent transition duration-200 group-has-checked:border-action group-has-checked:bg-action group-has-checked:text-on-action">
      <Icon name="check" className="size-4" />
    </span>
  );
}
