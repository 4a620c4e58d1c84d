import clsx from "clsx";
import type { ButtonPartFragment, NavigationRecordFragment } from "~/gen/graphql";
import { useIsMember } from "~/lib/session/session";
import { ContentButton } from "~/ui/button/content-button";
import { AccountMenu } from "./account-menu";
import { useScrolledPast } from "./use-scrolled-past";

const SHOWS_BUTTON_AFTER_PX = 70;

/** For members the account takes the place of the way to it, to the pixel, before the first paint. */
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

/** The way on appears once the one on the page is scrolled out of reach. Beside the menu a phone has room for one thing only. */
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
