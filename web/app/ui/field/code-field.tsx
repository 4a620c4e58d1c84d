import { Field, type FieldProps } from "./field";

/** A code of an authenticator app. The browser offers it, and a phone shows digits. */
export function CodeField({ name = "code", inputMode = "numeric", ...props }: Omit<FieldProps, "type" | "dir">) {
  return (
    <Field
      {...props}
      name={name}
      inputMode={inputMode}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      enterKeyHint="go"
      dir="ltr"
      required
    />
  );
}
