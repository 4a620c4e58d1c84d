import clsx from "clsx";
import type { ButtonPartFragment, NavigationRecordFragment } from "~/gen/graphql";
import { useIsMember } from "~/lib/session/session";
import { ContentButton } from "~/ui/button/content-button";
import { AccountMenu } from "./account-menu";
import { useScrolledPast } from "./use-scrolled-past";

const SHOWS_BUTTON_AFTER_PX = 70;

/** For members the account menu replaces the sign-in button, at the same place, before the first paint. */
export function NavigationButtons({ buttons }: { buttons: ButtonPartFragment[] }) {
  const [first] = buttons.filter(leadsToAccount);
  return (
    <div className="flex items-center gap-5 ps-2 max-xl:hidden">
      {!first && <AccountMenu />}
      {buttons.map((button) => (
        <span key={button.url + button.text} className="grid justify-items-end">
          <ContentButton
            button={{ ...button, small: true }}
            className={clsx(
              "col-start-1 row-start-1 h-12 min-w-11 justify-center text-sm whitespace-nowrap",
              leadsToAccount(button) && "member:invisible",
            )}
          />
          {button === first && (
            <span className="col-start-1 row-start-1 self-center">
              <AccountMenu />
            </span>
          )}
        </span>
      ))}
    </div>
  );
}

/**
 * The button appears when the page's own button is scrolled out of view. Beside the menu a phone has space for one
 * element.
 */
export function MobileActions({ navigation }: { navigation: NavigationRecordFragment }) {
  const isMember = useIsMember();
  const scrolled = useScrolledPast(SHOWS_BUTTON_AFTER_PX);
  const button = navigation.navigationButtons.findLast((candidate) => !isMember || !leadsToAccount(candidate));
  if (!button || !navigation.isNavigationButtons || !scrolled) return <AccountMenu />;
  return <ContentButton button={{ ...button, small: true }} className="h-12 animate-enter whitespace-nowrap" />;
}

export function leadsToAccount(button: ButtonPartFragment): boolean {
  return /^\/(signin|signup)\/?$/.test(button.url);
}
