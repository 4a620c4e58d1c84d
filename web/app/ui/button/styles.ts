import clsx from "clsx";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "light" | "provider" | "danger";
export type ButtonSize = "large" | "compact";

const base =
  "relative inline-flex items-center justify-center gap-2 rounded-pill text-center font-bold no-underline select-none transition duration-200 ease-enter active:scale-[0.98] active:duration-[120ms]";

/* Transparent borders outline the button in forced-colours mode. */
const variants: Record<ButtonVariant, string> = {
  primary:
    "border border-transparent bg-action text-on-action shadow-rest hover:bg-action-hover hover:shadow-raised active:bg-action-pressed",
  secondary: "border border-field bg-transparent text-ink hover:border-action hover:text-action active:bg-mist",
  quiet: "border border-transparent bg-transparent text-ink hover:bg-mist active:bg-mist",
  danger: "border border-transparent bg-danger text-on-action shadow-rest hover:shadow-raised",
  provider: "border border-provider-line bg-provider text-on-provider hover:shadow-raised active:bg-mist",
  light: "border border-transparent bg-white text-night shadow-rest hover:shadow-floating",
};

const sizes: Record<ButtonSize, string> = {
  large: "min-h-12 px-7 py-2.5 text-base leading-snug",
  compact: "min-h-11 px-5 py-2 text-sm leading-snug",
};

const inert = "aria-disabled:cursor-not-allowed not-aria-busy:aria-disabled:opacity-60 aria-disabled:active:scale-100";

export interface ButtonLook {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  className?: string | undefined;
}

export function buttonClass({ variant = "primary", size = "large", className }: ButtonLook): string {
  return clsx(base, variants[variant], sizes[size], inert, className);
}
