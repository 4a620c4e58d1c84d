import type { ButtonPartFragment, NavigationRecordFragment } from "~/gen/graphql";
import { useSession } from "~/lib/session";
import { ContentButton } from "~/ui/button/content-button";
import { AccountMenu } from "./account-menu";
import { DesktopMenu } from "./desktop-menu";
import { LanguageMenu } from "./language-menu";
import { Logo } from "./logo";
import { MobileMenu } from "./mobile-menu";
import { useScrolledPast } from "./use-scrolled-past";

const SHOWS_BUTTON_AFTER_PX = 70;

interface SiteHeaderProps {
  navigation: NavigationRecordFragment;
  isHome: boolean;
  /** Checkout and account pages keep only the logo: one thing to do there. */
  quiet: boolean;
  marketingBaseUrl: string | null;
}

export function SiteHeader({ navigation, isHome, quiet, marketingBaseUrl }: SiteHeaderProps) {
  const logo = (isHome && navigation.homePageLogo) || navigation.logo;
  const scrolled = useScrolledPast(0);
  return (
    <header
      data-scrolled={scrolled || undefined}
      className="sticky top-0 z-30 border-b border-transparent bg-paper/90 backdrop-blur-md transition-colors duration-200 data-scrolled:border-hairline"
    >
      <div className={`wrap ${quiet ? "wrap-narrow" : ""} flex h-18 items-center justify-between gap-4`}>
        <Logo image={logo} />
        {!quiet && navigation.isMenu && <DesktopMenu menu={navigation.menu} />}
        <div className="flex items-center gap-2">
          <div className="hidden lg:block">
            <LanguageMenu marketingBaseUrl={marketingBaseUrl} />
          </div>
          {quiet ? <QuietActions /> : <Actions navigation={navigation} />}
          {!quiet && navigation.isMenu && <MobileMenu navigation={navigation} marketingBaseUrl={marketingBaseUrl} />}
        </div>
      </div>
    </header>
  );
}

function QuietActions() {
  const session = useSession();
  return session.state === "member" ? <AccountMenu user={session.user} /> : null;
}

function Actions({ navigation }: { navigation: NavigationRecordFragment }) {
  const session = useSession();
  const scrolled = useScrolledPast(SHOWS_BUTTON_AFTER_PX);
  if (!navigation.isNavigationButtons) return <QuietActions />;
  const buttons = navigation.navigationButtons.filter(
    (button) => session.state !== "member" || !leadsToAccount(button),
  );
  const mobileButton = buttons.at(-1);
  return (
    <>
      <div className="hidden items-center gap-5 ps-2 lg:flex">
        {buttons.map((button) => (
          <ContentButton key={button.url} button={button} />
        ))}
      </div>
      {mobileButton && scrolled && (
        <span className="animate-enter lg:hidden">
          <ContentButton button={{ ...mobileButton, small: true }} className="px-4 whitespace-nowrap" />
        </span>
      )}
      {/* A phone has room for one of the two. */}
      <div className={scrolled ? "max-lg:hidden" : ""}>
        <QuietActions />
      </div>
    </>
  );
}

function leadsToAccount(button: ButtonPartFragment): boolean {
  return /^\/(signin|signup)\/?$/.test(button.url);
}
