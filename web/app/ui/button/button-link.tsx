import { Link, type LinkProps } from "../link/link";
import { type ButtonLook, buttonClass } from "./styles";

type ButtonLinkProps = ButtonLook & Omit<LinkProps, "className">;

export function ButtonLink({ variant, size, className, ...link }: ButtonLinkProps) {
  return <Link {...link} className={buttonClass({ variant, size, className })} />;
}
