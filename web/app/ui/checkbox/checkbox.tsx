import type { ReactNode } from "react";
import { FieldError } from "../field/field";

interface CheckboxProps {
  id: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  error?: string | null;
  name?: string;
  required?: boolean;
  children: ReactNode;
}

export function Checkbox({ id, checked, onChange, error, name = id, required, children }: CheckboxProps) {
  return (
    <div>
      <label htmlFor={id} className="flex min-h-11 cursor-pointer items-start gap-3 py-2 text-sm">
        <input
          id={id}
          name={name}
          type="checkbox"
          required={required}
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="mt-px size-6 shrink-0 accent-action"
        />
        <span className="pt-0.5">{children}</span>
      </label>
      <FieldError id={`${id}-error`} message={error} />
    </div>
  );
}
