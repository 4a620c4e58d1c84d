import { type ButtonHTMLAttributes, type RefObject, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { NavigationRecordFragment } from "~/gen/graphql";
import { useTexts } from "~/lib/i18n";
import { ButtonLink } from "~/ui/button/button-link";
import { ContentButton } from "~/ui/button/content-button";
import { Icon, type IconName } from "~/ui/icon/icon";
import { leadsToAccount } from "../header-actions";
import { LanguageMenu } from "../language-menu";
import { Logo } from "../logo";
import type { MenuItem } from "./desktop-menu";
import { BackButton, SubMenu, TopMenu } from "./mobile-menu-levels";

const WIDE = "(width >= 80rem)";

/** A native dialog: it traps focus, closes on Escape and hides the page from screen readers. */
export function MobileMenu({ navigation }: { navigation: NavigationRecordFragment }) {
  const t = useTexts();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [inside, setInside] = useState<MenuItem | null>(null);
  const [cameFrom, setCameFrom] = useState<string | null>(null);
  useCloseOnNavigation(dialog);

  const open = () => {
    dialog.current?.showModal();
    setOpen(true);
  };
  const closed = () => {
    setOpen(false);
    enter(null);
  };
  const enter = (item: MenuItem | null) => {
    setCameFrom(inside?.id ?? null);
    setInside(item);
  };

  return (
    <div className="xl:hidden">
      <RoundButton
        name={t("nav.openMenu")}
        icon="menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={open}
      />
      <dialog ref={dialog} id={id} aria-label={t("nav.main")} onClose={closed} className="mobile-menu">
        <div className="flex min-h-full flex-col px-(--gutter) pb-6">
          <div className="flex h-18 shrink-0 items-center justify-between">
            {inside ? <BackButton onClick={() => enter(null)} /> : <Logo image={navigation.logo} />}
            <RoundButton name={t("nav.closeMenu")} icon="close" onClick={() => dialog.current?.close()} />
          </div>
          <nav aria-label={t("nav.main")} className="grow">
            {inside ? (
              <SubMenu item={inside} />
            ) : (
              <TopMenu menu={navigation.menu} cameFrom={cameFrom} onEnter={enter} />
            )}
          </nav>
          <MenuFooter buttons={navigation.mobileMenuButtons} />
        </div>
      </dialog>
    </div>
  );
}

interface RoundButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  name: string;
  icon: IconName;
}

function RoundButton({ name, icon, ...rest }: RoundButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={name}
      className="-me-2 grid size-11 shrink-0 place-items-center rounded-pill hover:bg-mist"
    >
      <Icon name={icon} className="size-6" />
    </button>
  );
}

/** For members the account link replaces the sign-in button. */
function MenuFooter({ buttons }: { buttons: NavigationRecordFragment["mobileMenuButtons"] }) {
  const t = useTexts();
  return (
    <div className="space-y-3 pt-8">
      {buttons.map((button) => (
        <ContentButton
          key={button.url + button.text}
          button={button}
          className={leadsToAccount(button) ? "w-full member:hidden" : "w-full"}
        />
      ))}
      <ButtonLink url="/profile" variant="secondary" className="w-full visitor:hidden">
        {t("nav.account")}
      </ButtonLink>
      <div className="flex justify-center pt-2">
        <LanguageMenu />
      </div>
    </div>
  );
}

/**
 * Closes on navigation and when the screen becomes wide, where the menu is invisible but would still block the page.
 */
function useCloseOnNavigation(dialog: RefObject<HTMLDialogElement | null>) {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving somewhere is a change of the path.
  useEffect(() => {
    const close = () => dialog.current?.close();
    close();
    const wide = window.matchMedia(WIDE);
    wide.addEventListener("change", close);
    return () => wide.removeEventListener("change", close);
  }, [dialog, pathname]);
}
