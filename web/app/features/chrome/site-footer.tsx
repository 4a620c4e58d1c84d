import { useLocation } from "react-router";
import type { FooterRecordFragment } from "~/gen/graphql";
import { useTexts } from "~/lib/i18n";
import { localeOf } from "~/lib/locale";
import { Link } from "~/ui/link/link";
import { LanguageMenu } from "./language-menu";
import { LogoPicture } from "./logo";
import { SocialLinks } from "./social-links";
import { StoreBadge } from "./store-badge";

interface SiteFooterProps {
  footer: FooterRecordFragment;
  quiet: boolean;
  marketingBaseUrl: string | null;
}

export function SiteFooter({ footer, quiet, marketingBaseUrl }: SiteFooterProps) {
  return (
    <footer className="footer mt-auto bg-night-deep text-white">
      <div className={quiet ? "wrap wrap-narrow py-8" : "wrap py-14 md:py-20"}>
        {!quiet && <FooterBody footer={footer} />}
        <div
          className={`flex flex-wrap items-center justify-between gap-x-8 gap-y-4 text-sm ${quiet ? "" : "mt-12 border-t border-white/15 pt-8"}`}
        >
          <ul className="flex flex-wrap gap-x-6">
            {footer.termsAndPolicy.map((link) => (
              <li key={link.url}>
                <FooterLink {...link} />
              </li>
            ))}
          </ul>
          <div className="-mx-3">
            <LanguageMenu marketingBaseUrl={marketingBaseUrl} placement="above" onNight />
          </div>
        </div>
        {footer.legal && <p className="mt-4 text-2xs text-lav">{footer.legal}</p>}
      </div>
    </footer>
  );
}

function FooterBody({ footer }: { footer: FooterRecordFragment }) {
  const locale = localeOf(useLocation().pathname);
  return (
    <div className="grid gap-12 lg:grid-cols-[2fr_3fr]">
      <div className="max-w-sm">
        <div className="flex items-center gap-2">
          <LogoPicture image={footer.logo} />
        </div>
        {footer.quote && <p className="display mt-5 text-xl text-lav">{footer.quote}</p>}
        <SocialLinks urls={footer.socialUrls} locale={locale} />
        <div className="mt-6 flex flex-wrap gap-3">
          {footer.appStore && <StoreBadge store="appStore" url={footer.appStore.url} />}
          {footer.playStore && <StoreBadge store="playStore" url={footer.playStore.url} />}
        </div>
      </div>
      <FooterColumns groups={footer.linkGroups} />
    </div>
  );
}

function FooterColumns({ groups }: { groups: FooterRecordFragment["linkGroups"] }) {
  const t = useTexts();
  return (
    <nav
      aria-label={t("footer.links")}
      className="grid gap-8 xs:grid-cols-2 md:auto-cols-fr md:grid-flow-col md:grid-cols-none"
    >
      {groups.map((group) => (
        <div key={group.name}>
          <p className="mb-2 text-sm font-bold text-white">{group.name}</p>
          <ul>
            {group.links.map((link) => (
              <li key={link.url + link.text}>
                <FooterLink {...link} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function FooterLink({ url, text, noFollow }: FooterRecordFragment["termsAndPolicy"][number]) {
  return (
    <Link
      url={url}
      noFollow={noFollow}
      className="inline-flex min-h-11 items-center text-sm text-lav underline-offset-4 transition duration-200 hover:text-white hover:underline"
    >
      {text}
    </Link>
  );
}
