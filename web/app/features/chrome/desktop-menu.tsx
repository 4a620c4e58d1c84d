import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import type { NavigationRecordFragment } from "~/gen/graphql";
import { useTexts } from "~/lib/i18n";
import { Icon } from "~/ui/icon/icon";
import { MenuLink } from "./menu-link";

type MenuItem = NavigationRecordFragment["menu"][number];

/** Leaving for a moment on the way to the panel must not close it. */
const CLOSE_DELAY_MS = 300;
const FEW_ITEMS = 5;

const itemClass =
  "flex min-h-11 items-center gap-1 rounded-pill px-3.5 text-sm font-semibold text-ink transition duration-200 hover:bg-mist aria-expanded:bg-mist";

export function DesktopMenu({ menu }: { menu: MenuItem[] }) {
  const t = useTexts();
  const { pathname } = useLocation();
  const [open, setOpen] = useState<string | null>(null);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving somewhere closes the panel.
  useEffect(() => setOpen(null), [pathname]);

  const show = (item: MenuItem) => {
    clearTimeout(closing.current);
    setOpen(item.subCategory.length > 0 ? item.id : null);
  };
  const hide = () => {
    closing.current = setTimeout(() => setOpen(null), CLOSE_DELAY_MS);
  };
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key === "Escape") setOpen(null);
  };

  return (
    <nav aria-label={t("nav.main")} className="hidden lg:block" onMouseLeave={hide} onKeyDown={closeOnEscape}>
      <ul className="flex items-center">
        {menu.map((item) => (
          <li key={item.id} onMouseEnter={() => show(item)}>
            {item.subCategory.length > 0 ? (
              <>
                <button
                  type="button"
                  className={itemClass}
                  aria-expanded={open === item.id}
                  onClick={() => setOpen(open === item.id ? null : item.id)}
                >
                  {item.category}
                  <Icon name="chevron-down" className="size-4 text-muted" />
                </button>
                {open === item.id && <Panel item={item} columns={menu.length <= FEW_ITEMS ? 6 : 7} />}
              </>
            ) : (
              <MenuLink url={item.categoryUrl} noFollow={item.noFollow} className={itemClass}>
                {item.category}
              </MenuLink>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Panel({ item, columns }: { item: MenuItem; columns: 6 | 7 }) {
  const t = useTexts();
  return (
    <div className="absolute inset-x-0 top-full animate-enter border-y border-hairline bg-paper shadow-floating">
      <div className={`wrap grid gap-6 py-8 ${columns === 6 ? "grid-cols-6" : "grid-cols-7"}`}>
        {item.subCategory.map((group) => (
          <div key={group.name}>
            <p className="text-2xs font-bold text-muted">{group.name}</p>
            <ul className="mt-2">
              {group.links.map((link) => (
                <li key={link.url + link.text}>
                  <MenuLink
                    url={link.url}
                    noFollow={link.noFollow}
                    className="flex min-h-11 items-center text-sm font-semibold hover:text-action"
                  >
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
          className="col-end-[-1] flex min-h-11 items-center justify-end gap-1 self-end text-sm font-bold text-action"
        >
          {t("nav.viewAll")}
          <Icon name="arrow" mirrored className="size-4" />
        </MenuLink>
      </div>
    </div>
  );
}
