import clsx from "clsx";
import { useId } from "react";
import { trackPress } from "~/lib/analytics";
import { DynamicStylesLink, dynamicStylesOf } from "../dynamic-styles/dynamic-styles";
import { Link } from "../link/link";
import { Button } from "./button";
import { ButtonLink } from "./button-link";
import type { ButtonVariant } from "./styles";

/** A button as editors define it. */
export interface ButtonContent {
  text: string;
  url: string;
  color: string | null;
  borderColor: string | null;
  backgroundColor: string | null;
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

/** A design variant, overridden by the editor's colours and width. */
export function ContentButton({ button, className }: ContentButtonProps) {
  const info = useId();
  if (!button.info) return <Pressed button={button} className={className} />;
  return (
    <span className={clsx("inline-grid justify-items-center gap-1.5", button.width === "full" && "w-full", className)}>
      <Pressed button={button} className={fixedWidth(button) ? undefined : "max-xs:w-full"} describedBy={info} />
      <span id={info} className="text-center text-2xs text-muted">
        {button.info}
      </span>
    </span>
  );
}

interface PressedProps extends Partial<ContentButtonProps> {
  button: ButtonContent;
  className?: string | undefined;
  describedBy?: string;
}

function Pressed({ button, className, describedBy }: PressedProps) {
  const styles = dynamicStylesOf({
    ink: button.color,
    ground: button.backgroundColor ?? (button.color && button.primary ? "action" : null),
    line: button.borderColor,
    width: fixedWidth(button),
  });
  const variant = variantOf(button);
  const size = button.small ? "compact" : "large";
  const classes = clsx(className, button.width === "full" && "w-full", styles?.className);
  if (button.disabled) {
    return (
      <Button disabled variant={variant} size={size} className={classes} aria-describedby={describedBy}>
        <DynamicStylesLink paint={styles} />
        {button.text}
      </Button>
    );
  }
  const target = {
    url: button.url,
    deepLink: button.deepLink,
    noFollow: button.noFollow,
    onClick: () => trackPress(button),
    "aria-describedby": describedBy,
  };
  const texts = (
    <>
      <DynamicStylesLink paint={styles} />
      {button.text}
    </>
  );
  if (button.link) {
    return (
      <Link {...target} className={clsx(LINK, classes)}>
        {texts}
      </Link>
    );
  }
  return (
    <ButtonLink {...target} variant={variant} size={size} className={classes}>
      {texts}
    </ButtonLink>
  );
}

const LINK =
  "inline-flex min-h-11 items-center font-bold max-xs:justify-center text-action underline-offset-4 hover:underline";

function variantOf(button: ButtonContent): ButtonVariant {
  if (button.primary) return "primary";
  return button.secondary ? "secondary" : "quiet";
}

/** Width in pixels, where an editor sets one. */
function fixedWidth({ width }: ButtonContent): number | null {
  return width?.endsWith("px") ? Number.parseInt(width, 10) : null;
}
