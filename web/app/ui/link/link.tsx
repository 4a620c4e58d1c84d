import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from "react";
import { Link as RouterLink, useLocation } from "react-router";
import { useTexts } from "~/lib/i18n";
import { internalHref, isExternal } from "~/lib/links";
import { localeOf } from "~/lib/locale";
import { useIsPhone } from "~/lib/phone";

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** As content has it: an address of this site without locale, or any other one. */
  url: string;
  /** Opened instead on a phone. */
  deepLink?: string | null | undefined;
  noFollow?: boolean;
  /** Menu links leave this tab, others open a new one. */
  leave?: "new-tab" | "replace";
  children: ReactNode;
}

export function Link({ url, deepLink, noFollow, leave = "new-tab", children, ...rest }: LinkProps) {
  const { pathname } = useLocation();
  const phone = useIsPhone();
  const href = phone && deepLink ? deepLink : internalHref(url, localeOf(pathname));
  if (href.startsWith("#") || opensAnotherProgram(href)) {
    return (
      <a {...rest} href={href}>
        {children}
      </a>
    );
  }
  if (isExternal(href)) {
    return (
      <OutsideLink {...rest} href={href} noFollow={noFollow} leave={leave}>
        {children}
      </OutsideLink>
    );
  }
  return (
    <RouterLink {...rest} to={href} prefetch="intent" viewTransition>
      {children}
    </RouterLink>
  );
}

/** `mailto:`, `tel:`, the app: nothing a tab could show. */
function opensAnotherProgram(href: string): boolean {
  return isExternal(href) && !/^(https?:)?\/\//i.test(href);
}

interface OutsideLinkProps extends Omit<LinkProps, "url"> {
  href: string;
}

function OutsideLink({ href, noFollow, leave, children, onClick, ...rest }: OutsideLinkProps) {
  const t = useTexts();
  if (leave === "replace") {
    const replace = (event: MouseEvent<HTMLAnchorElement>) => {
      onClick?.(event);
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      window.location.replace(href);
    };
    return (
      <a {...rest} href={href} rel={noFollow ? "nofollow" : undefined} onClick={replace}>
        {children}
      </a>
    );
  }
  return (
    <a
      {...rest}
      href={href}
      target="_blank"
      rel={noFollow ? "noopener noreferrer nofollow" : "noopener noreferrer"}
      onClick={onClick}
    >
      {children}
      <span className="sr-only"> {t("common.newTab")}</span>
    </a>
  );
}
