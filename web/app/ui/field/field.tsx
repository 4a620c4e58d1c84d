import clsx from "clsx";
import type { InputHTMLAttributes, ReactNode, SyntheticEvent } from "react";
import { Icon } from "../icon/icon";

export const controlClass =
  "block w-full min-h-12 rounded-field border border-field bg-card px-4 text-base text-ink shadow-rest transition duration-200 hover:border-action focus-visible:border-action aria-invalid:border-danger";

/** Inside the field, at its end. */
export const fieldActionClass =
  "absolute inset-y-0.5 end-0.5 grid w-11 place-items-center rounded-field text-muted hover:text-ink";

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className"> {
  id: string;
  label: string;
  hint?: string;
  error?: string | null;
  /** Content inside the field, at its end. */
  action?: ReactNode;
  /** A clear button, shown while the field has a value. */
  clear?: { label: string; onClear: () => void };
  /** Forbids copy and paste. */
  typedOnly?: boolean;
}

export function Field({ id, label, hint, error, action, clear, typedOnly, dir, ...input }: FieldProps) {
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  const isOfAnyScript = dir === "auto";
  const inside = action ?? (clear && input.value ? <ClearButton {...clear} of={id} /> : null);
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        {label}
      </label>
      {/* Input and button share the inline end in both directions. */}
      <div className="relative" dir={isOfAnyScript ? undefined : dir}>
        <input
          {...input}
          {...(typedOnly ? REFUSING : {})}
          id={id}
          name={input.name ?? id}
          aria-invalid={error ? true : undefined}
          aria-describedby={described}
          className={clsx(controlClass, inside && "pe-14", isOfAnyScript && "[unicode-bidi:plaintext]")}
        />
        {inside}
      </div>
      {hint && !error && (
        <p id={`${id}-hint`} className="mt-1.5 text-2xs text-muted">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} message={error} />
    </div>
  );
}

const refuse = (event: SyntheticEvent) => event.preventDefault();
const REFUSING = { onCopy: refuse, onCut: refuse, onPaste: refuse, onDrop: refuse };

/** For pointers only: with a keyboard, clearing by keys is faster. */
function ClearButton({ label, onClear, of }: { label: string; onClear: () => void; of: string }) {
  const empty = () => {
    onClear();
    document.getElementById(of)?.focus();
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      aria-controls={of}
      onClick={empty}
      className={fieldActionClass}
    >
      <Icon name="close" className="size-4.5" />
    </button>
  );
}

export function FieldError({ id, message }: { id: string; message?: string | null | undefined }) {
  if (!message) return null;
  return (
    <p id={id} className="mt-1.5 flex animate-enter items-start gap-1.5 text-2xs font-semibold text-danger">
      <Icon name="alert" className="mt-px size-4" />
      <span>{message}</span>
    </p>
  );
}
