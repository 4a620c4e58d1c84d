import type { AnchorHTMLAttributes, ReactNode } from "react";
import { Link as RouterLink, useLocation } from "react-router";
import { useIsPhone } from "~/lib/browser/phone";
import { useTexts } from "~/lib/i18n";
import { internalHref, isExternal } from "~/lib/links/links";
import { localeOf } from "~/lib/locale";

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** As in content: a path without locale, or any URL. */
  url: string;
  /** Used on a phone instead. */
  deepLink?: string | null | undefined;
  noFollow?: boolean;
  children: ReactNode;
}

export function Link({ url, deepLink, noFollow, children, ...rest }: LinkProps) {
  const { pathname } = useLocation();
  const phone = useIsPhone();
  const locale = localeOf(pathname);
  const href = phone && deepLink ? deepLink : internalHref(url, locale);
  if (href.startsWith("#") || opensAnotherProgram(href)) {
    return (
      <a {...rest} href={href}>
        {children}
      </a>
    );
  }
  if (isExternal(href)) {
    return (
      <OutsideLink {...rest} href={href} noFollow={noFollow}>
        {children}
      </OutsideLink>
    );
  }
  return (
    <RouterLink
      {...rest}
      to={href}
      aria-current={href === pathname ? "page" : undefined}
      // Another language is another document, with its own texts and fonts.
      reloadDocument={localeOf(href) !== locale}
      prefetch="intent"
      viewTransition
    >
      {children}
    </RouterLink>
  );
}

/** `mailto:`, `tel:` and the app open no tab. */
function opensAnotherProgram(href: string): boolean {
  return isExternal(href) && !/^(https?:)?\/\//i.test(href);
}

interface OutsideLinkProps extends Omit<LinkProps, "url"> {
  href: string;
}

function OutsideLink({ href, noFollow, children, ...rest }: OutsideLinkProps) {
  const t = useTexts();
  return (
    <a {...rest} href={href} target="_blank" rel={noFollow ? "noopener noreferrer nofollow" : "noopener noreferrer"}>
      {children}
      <span className="sr-only"> {t("common.newTab")}</span>
    </a>
  );
}
