import { track } from "~/lib/analytics";
import { Link } from "../link/link";
import { ButtonLink } from "./button-link";
import type { ButtonVariant } from "./styles";

/** A button as editors describe it. */
export interface ButtonContent {
  text: string;
  url: string;
  noFollow: boolean;
  disabled: boolean;
  link: boolean;
  primary: boolean;
  secondary: boolean;
  small: boolean;
  width: string | null;
  deepLink: string | null;
  info: string | null;
  eventName: string | null;
  eventSection: string | null;
}

interface ContentButtonProps {
  button: ButtonContent;
  className?: string;
}

/** In the looks the design has, whatever an editor asks for. */
export function ContentButton({ button, className }: ContentButtonProps) {
  const report = () => {
    if (button.eventName) track(button.eventName, { section: button.eventSection ?? "" });
  };
  if (button.disabled) return null;
  if (button.link) {
    return (
      <Link
        url={button.url}
        deepLink={button.deepLink}
        noFollow={button.noFollow}
        onClick={report}
        className={`inline-flex min-h-11 items-center font-bold text-action underline-offset-4 hover:underline ${className ?? ""}`}
      >
        {button.text}
      </Link>
    );
  }
  return (
    <ButtonLink
      url={button.url}
      deepLink={button.deepLink}
      noFollow={button.noFollow}
      onClick={report}
      variant={variantOf(button)}
      size={button.small ? "compact" : "large"}
      className={`${button.width === "full" ? "w-full" : ""} ${className ?? ""}`}
    >
      {button.text}
    </ButtonLink>
  );
}

function variantOf(button: ButtonContent): ButtonVariant {
  if (button.primary) return "primary";
  return button.secondary ? "secondary" : "quiet";
}
