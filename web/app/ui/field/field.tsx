import type { InputHTMLAttributes, ReactNode } from "react";
import { Icon } from "../icon/icon";

export const controlClass =
  "block w-full min-h-12 rounded-field border border-field bg-card px-4 text-base text-ink shadow-rest transition duration-200 hover:border-action focus-visible:border-action aria-invalid:border-danger";

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className"> {
  id: string;
  label: string;
  hint?: string;
  error?: string | null;
  /** What stands inside the box, at its end. */
  action?: ReactNode;
}

export function Field({ id, label, hint, error, action, ...input }: FieldProps) {
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          id={id}
          name={input.name ?? id}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          className={action ? `${controlClass} pe-14` : controlClass}
        />
        {action}
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

export function FieldError({ id, message }: { id: string; message?: string | null | undefined }) {
  if (!message) return null;
  return (
    <p id={id} className="mt-1.5 flex animate-enter items-start gap-1.5 text-2xs font-semibold text-danger">
      <Icon name="alert" className="mt-px size-4" />
      <span>{message}</span>
    </p>
  );
}
