import clsx from "clsx";
import type { NavigationRecordFragment } from "~/gen/graphql";
import { DynamicStylesLink, dynamicStylesOf } from "~/ui/dynamic-styles/dynamic-styles";
import { surfaceOf } from "~/ui/surface/surface";
import { AccountMenu } from "./account-menu";
import { MobileActions, NavigationButtons } from "./header-actions";
import { LanguageMenu } from "./language-menu";
import { DownloadApp, type Stores } from "./links/download-app";
import { Logo } from "./logo";
import { DesktopMenu } from "./menu/desktop-menu";
import { MobileMenu } from "./menu/mobile-menu";
import { useScrolledPast } from "./use-scrolled-past";

/** Below this scroll position no content is under the bar, so it needs no border. */
const SCROLLED_AFTER_PX = 80;

/** The page type of this partner's members. */
const PARTNER_PAGE = "gympass";

interface SiteHeaderProps {
  navigation: NavigationRecordFragment;
  stores: Stores | null;
  pageType: string;
  isHome: boolean;
  /** Checkout and account pages keep only the logo, to stay focused. */
  quiet: boolean;
}

export function SiteHeader({ navigation, stores, pageType, isHome, quiet }: SiteHeaderProps) {
  const logo = (isHome && navigation.homePageLogo) || navigation.logo;
  const scrolled = useScrolledPast(SCROLLED_AFTER_PX);
  const surface = surfaceOf(navigation.backgroundColor);
  const styles = dynamicStylesOf({ ink: navigation.textColor, ground: surface && navigation.backgroundColor });
  const isPartnerPage = pageType === PARTNER_PAGE && stores !== null;
  // The partner pays, so its members see no primary button to buy.
  const buttons = navigation.navigationButtons.filter((button) => !isPartnerPage || !button.primary);
  const hasMenu = !quiet && navigation.isMenu;
  return (
    <header
      data-site-header
      data-scrolled={scrolled || undefined}
      className={clsx(
        "sticky top-0 z-30 border-b border-transparent transition-colors duration-200 data-scrolled:border-hairline",
        surface?.scope ?? "bg-paper/95 backdrop-blur-md",
        styles?.className,
      )}
    >
      <DynamicStylesLink paint={styles} />
      <div className={`wrap ${quiet ? "wrap-narrow" : ""} flex h-18 items-center justify-between gap-2 xl:gap-4`}>
        <Logo image={logo} />
        {hasMenu && <DesktopMenu menu={navigation.menu} />}
        <div className="flex shrink-0 items-center gap-2">
          {quiet && <AccountMenu />}
          <div className="max-xl:hidden">
            <LanguageMenu />
          </div>
          {!quiet && navigation.isNavigationButtons && <NavigationButtons buttons={buttons} />}
          {isPartnerPage && <DownloadApp stores={stores} />}
          {!quiet && !isPartnerPage && (
            <div className="xl:hidden">
              <MobileActions navigation={navigation} />
            </div>
          )}
          {hasMenu && <MobileMenu navigation={navigation} />}
        </div>
      </div>
    </header>
  );
}
