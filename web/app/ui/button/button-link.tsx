import { Link, type LinkProps } from "../link/link";
import { useTracked } from "../link/tracked-links";
import { type ButtonLook, buttonClass } from "./styles";

type ButtonLinkProps = ButtonLook & Omit<LinkProps, "className">;

export function ButtonLink({ variant, size, className, url, ...link }: ButtonLinkProps) {
  return <Link {...link} url={useTracked(url)} className={buttonClass({ variant, size, className })} />;
}
