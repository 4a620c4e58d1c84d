import type { MouseEvent, ReactNode } from "react";
import { useLocation } from "react-router";
import { internalHref } from "~/lib/links/links";
import { localeOf } from "~/lib/locale";
import { Link } from "~/ui/link/link";

interface MenuLinkProps {
  url: string;
  noFollow: boolean;
  className?: string;
  /** Reached by the arrow keys. */
  "data-entry"?: boolean;
  children: ReactNode;
}

/** As specified: a URL that contains `https:/` replaces the page, any other is navigated to. */
export function MenuLink({ url, noFollow, children, ...rest }: MenuLinkProps) {
  const { pathname } = useLocation();
  if (!url.includes("https:/")) {
    return (
      <Link url={url} noFollow={noFollow} {...rest}>
        {children}
      </Link>
    );
  }
  const replace = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    window.location.replace(event.currentTarget.href);
  };
  return (
    <a href={internalHref(url, localeOf(pathname))} rel={noFollow ? "nofollow" : undefined} {...rest} onClick={replace}>
      {children}
    </a>
  );
}
