import { useState } from "react";
import { useTexts } from "~/lib/i18n";
import { Icon } from "../icon/icon";
import { Field, type FieldProps, fieldActionClass } from "./field";

export function PasswordField(props: Omit<FieldProps, "type" | "action">) {
  const t = useTexts();
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? "text" : "password"}
      spellCheck={false}
      autoCapitalize="none"
      action={
        <button
          type="button"
          onClick={() => setShown(!shown)}
          aria-pressed={shown}
          aria-controls={props.id}
          aria-label={t("common.showPassword")}
          className={fieldActionClass}
        >
          <Icon name={shown ? "eye-off" : "eye"} />
        </button>
      }
    />
  );
}
