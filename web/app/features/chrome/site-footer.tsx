import type { FooterRecordFragment } from "~/gen/graphql";
import { useTexts } from "~/lib/i18n";
import { ConsentSettings } from "~/ui/consent-settings/consent-settings";
import { LegalLink } from "~/ui/link/legal-link";
import { LanguageMenu } from "./language-menu";
import { SocialLinks } from "./links/social-links";
import { StoreBadge } from "./links/store-badge";
import { LogoPicture } from "./logo";

interface SiteFooterProps {
  footer: FooterRecordFragment;
  quiet: boolean;
}

export function SiteFooter({ footer, quiet }: SiteFooterProps) {
  return (
    <footer className="site-footer on-night mt-auto">
      <div className={quiet ? "wrap wrap-narrow py-8" : "wrap py-14 md:py-20"}>
        {!quiet && <FooterBody footer={footer} />}
        <div
          className={`flex flex-wrap items-center justify-between gap-x-8 gap-y-4 text-sm ${quiet ? "" : "mt-12 border-t border-hairline pt-8"}`}
        >
          <ul className="flex flex-wrap items-center gap-x-6">
            {footer.termsAndPolicy.map((link) => (
              <li key={link.url}>
                <FooterLink {...link} />
              </li>
            ))}
            <li>
              <ConsentSettings />
            </li>
          </ul>
          <div className="-mx-3">
            <LanguageMenu />
          </div>
        </div>
        {footer.legal && <p className="mt-4 text-2xs text-muted">{footer.legal}</p>}
      </div>
    </footer>
  );
}

function FooterBody({ footer }: { footer: FooterRecordFragment }) {
  return (
    <div className="grid gap-12 lg:grid-cols-[2fr_3fr]">
      <div className="max-w-sm">
        <div className="flex items-center gap-2">
          <LogoPicture image={footer.logo} />
        </div>
        {footer.quote && <p className="display mt-5 text-xl text-balance text-muted">{footer.quote}</p>}
        <SocialLinks urls={footer.socialUrls} />
        <div className="mt-6 grid w-fit gap-3">
          {footer.appStore && <StoreBadge store="appStore" {...footer.appStore} />}
          {footer.playStore && <StoreBadge store="playStore" {...footer.playStore} />}
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
      className="grid grid-cols-2 gap-x-6 gap-y-8 md:auto-cols-fr md:grid-flow-col md:grid-cols-none"
    >
      {groups.map((group) => (
        <div key={group.name}>
          <p className="mb-2 text-sm font-bold">{group.name}</p>
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
    <LegalLink
      url={url}
      noFollow={noFollow}
      className="inline-flex min-h-11 items-center py-3 text-sm leading-snug text-muted underline-offset-4 transition duration-200 hover:text-ink hover:underline aria-[current]:text-ink"
    >
      {text}
    </LegalLink>
  );
}
