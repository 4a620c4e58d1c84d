import type { ReactNode } from "react";
import { Link } from "~/ui/link/link";

interface MenuLinkProps {
  url: string;
  noFollow: boolean;
  className?: string;
  children: ReactNode;
}

/** Links of the menu leave in this tab: outside addresses replace the page, our own are navigated to. */
export function MenuLink(props: MenuLinkProps) {
  return <Link {...props} leave="replace" />;
}
