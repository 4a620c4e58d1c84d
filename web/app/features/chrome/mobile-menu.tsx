import { type RefObject, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { NavigationRecordFragment } from "~/gen/graphql";
import { useTexts } from "~/lib/i18n";
import { ContentButton } from "~/ui/button/content-button";
import { Icon } from "~/ui/icon/icon";
import { LanguageMenu } from "./language-menu";
import { Logo } from "./logo";
import { MenuLink } from "./menu-link";

type MenuItem = NavigationRecordFragment["menu"][number];

interface MobileMenuProps {
  navigation: NavigationRecordFragment;
  marketingBaseUrl: string | null;
}

const rowClass = "flex min-h-14 w-full items-center justify-between border-b border-hairline text-lg font-semibold";

/** A native dialog: it keeps focus inside, closes on Escape and hides the page from readers by itself. */
export function MobileMenu({ navigation, marketingBaseUrl }: MobileMenuProps) {
  const t = useTexts();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [inside, setInside] = useState<MenuItem | null>(null);
  useCloseOnArrival(dialog);

  const toggle = () => {
    if (dialog.current?.open) return dialog.current.close();
    dialog.current?.showModal();
    setOpen(true);
  };

  return (
    <div className="lg:hidden">
      <button
        type="button"
        aria-label={t("nav.openMenu")}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={toggle}
        className="-me-2 grid size-11 place-items-center rounded-pill hover:bg-mist"
      >
        <Icon name="menu" className="size-6" />
      </button>
      <dialog
        ref={dialog}
        aria-label={t("nav.main")}
        onClose={() => {
          setOpen(false);
          setInside(null);
        }}
        className="m-0 h-dvh max-h-none w-full max-w-none bg-paper text-ink open:animate-enter"
      >
        <div className="flex min-h-full flex-col px-5 pb-6">
          <div className="flex h-18 items-center justify-between">
            {inside ? <BackButton onClick={() => setInside(null)} /> : <Logo image={navigation.logo} />}
            <button
              type="button"
              aria-label={t("nav.closeMenu")}
              onClick={() => dialog.current?.close()}
              className="-me-2 grid size-11 place-items-center rounded-pill hover:bg-mist"
            >
              <Icon name="close" className="size-6" />
            </button>
          </div>
          <nav aria-label={t("nav.main")} className="grow">
            {inside ? <SubMenu item={inside} /> : <TopMenu menu={navigation.menu} onEnter={setInside} />}
          </nav>
          <div className="space-y-3 pt-8">
            {navigation.mobileMenuButtons.map((button) => (
              <ContentButton key={button.url} button={button} className="w-full" />
            ))}
            <div className="flex justify-center pt-2">
              <LanguageMenu marketingBaseUrl={marketingBaseUrl} placement="above" />
            </div>
          </div>
        </div>
      </dialog>
    </div>
  );
}

function useCloseOnArrival(dialog: RefObject<HTMLDialogElement | null>) {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving somewhere closes the menu.
  useEffect(() => dialog.current?.close(), [pathname]);
}

function BackButton({ onClick }: { onClick: () => void }) {
  const t = useTexts();
  return (
    <button
      type="button"
      onClick={onClick}
      className="-ms-2 flex min-h-11 items-center gap-2 rounded-pill px-2 font-semibold"
    >
      <span className="-scale-x-100">
        <Icon name="arrow" mirrored />
      </span>
      {t("nav.back")}
    </button>
  );
}

function TopMenu({ menu, onEnter }: { menu: MenuItem[]; onEnter: (item: MenuItem) => void }) {
  return (
    <ul>
      {menu.map((item) => (
        <li key={item.id}>
          {item.subCategory.length > 0 ? (
            <button type="button" onClick={() => onEnter(item)} className={rowClass}>
              {item.category}
              <Icon name="chevron" mirrored className="text-muted" />
            </button>
          ) : (
            <MenuLink url={item.categoryUrl} noFollow={item.noFollow} className={rowClass}>
              {item.category}
            </MenuLink>
          )}
        </li>
      ))}
    </ul>
  );
}

function SubMenu({ item }: { item: MenuItem }) {
  const t = useTexts();
  return (
    <>
      <p className="display text-2xl">{item.category}</p>
      {item.subCategory.map((group) => (
        <div key={group.name} className="mt-6">
          <p className="text-2xs font-bold text-muted">{group.name}</p>
          <ul>
            {group.links.map((link) => (
              <li key={link.url + link.text}>
                <MenuLink url={link.url} noFollow={link.noFollow} className={rowClass}>
                  {link.text}
                </MenuLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <MenuLink
        url={item.categoryUrl}
        noFollow={item.noFollow}
        className="mt-6 flex min-h-11 items-center gap-2 font-bold text-action"
      >
        {t("nav.viewAll")}
        <Icon name="arrow" mirrored />
      </MenuLink>
    </>
  );
}
