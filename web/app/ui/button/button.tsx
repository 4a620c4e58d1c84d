import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from "react";
import { Spinner } from "../spinner/spinner";
import { type ButtonLook, buttonClass } from "./styles";

interface ButtonProps extends ButtonLook, Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "disabled"> {
  children: ReactNode;
  /** Keeps width, label and focus; only clicks are ignored. */
  busy?: boolean;
  disabled?: boolean;
}

export function Button({
  children,
  variant,
  size,
  className,
  busy,
  disabled,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  const inert = busy || disabled;
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // Enter in a field also clicks its form's button: then the field keeps the focus.
    if (type === "submit" && event.detail > 0) event.currentTarget.focus();
    if (inert) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      onMouseDown={type === "submit" ? stay : undefined}
      onClick={click}
      aria-busy={busy || undefined}
      aria-disabled={inert || undefined}
      className={buttonClass({ variant, size, className })}
    >
      <span className={busy ? "opacity-0" : "inline-flex items-center gap-2"}>{children}</span>
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
    </button>
  );
}

/** Leaving a field may show its fault, which would move the button before the click ends. */
function stay(event: MouseEvent): void {
  event.preventDefault();
}
