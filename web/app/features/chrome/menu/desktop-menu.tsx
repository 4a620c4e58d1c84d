import { type FocusEvent, useId, useRef } from "react";
import { useLocation } from "react-router";
import type { NavigationRecordFragment } from "~/gen/graphql";
import { useTexts } from "~/lib/i18n";
import { internalHref } from "~/lib/links/links";
import { localeOf } from "~/lib/locale";
import { LotusMark } from "~/ui/art/lotus";
import { Icon } from "~/ui/icon/icon";
import { walkMenu } from "./menu-keys";
import { MenuLink } from "./menu-link";
import { useMenuPanels } from "./use-menu-panels";

export type MenuItem = NavigationRecordFragment["menu"][number];

const FEW_ITEMS = 5;

const entryClass =
  "flex min-h-11 items-center gap-1 rounded-pill px-3 text-sm font-semibold whitespace-nowrap transition duration-200 hover:bg-mist aria-[current]:text-action aria-expanded:bg-mist";

export function DesktopMenu({ menu }: { menu: MenuItem[] }) {
  const t = useTexts();
  const nav = useRef<HTMLElement>(null);
  const panels = useMenuPanels(nav);
  const columns = menu.length <= FEW_ITEMS ? 6 : 7;
  return (
    <nav
      ref={nav}
      aria-label={t("nav.main")}
      className="max-xl:hidden"
      onPointerLeave={panels.onPointerLeave}
      onKeyDown={walkMenu}
    >
      <ul className="flex">
        {menu.map((item) => (
          <li key={item.id} className="flex h-18 items-center" onBlur={closeWhenLeft} {...panels.ofItem}>
            {item.subCategory.length > 0 ? (
              <Category item={item} columns={columns} panels={panels} />
            ) : (
              <MenuLink url={item.categoryUrl} noFollow={item.noFollow} className={entryClass} data-entry>
                {item.category}
              </MenuLink>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function closeWhenLeft({ currentTarget, relatedTarget }: FocusEvent) {
  if (!relatedTarget || currentTarget.contains(relatedTarget)) return;
  currentTarget.querySelector<HTMLElement>(":popover-open")?.hidePopover();
}

interface CategoryProps extends PanelProps {
  panels: ReturnType<typeof useMenuPanels>;
}

function Category({ item, columns, panels }: CategoryProps) {
  const id = useId();
  const { pathname } = useLocation();
  const isHere = isWithin(pathname, internalHref(item.categoryUrl, localeOf(pathname)));
  return (
    <>
      <button
        type="button"
        data-entry
        popoverTarget={id}
        aria-expanded={panels.open === id}
        aria-current={isHere || undefined}
        onClick={(event) => panels.isKeptOpen(id) && event.preventDefault()}
        className={entryClass}
      >
        {item.category}
        <Icon name="chevron-down" className="chevron size-4 opacity-75" />
      </button>
      <div id={id} popover="auto" className="menu-panel" onToggle={({ newState }) => panels.onToggle(id, newState)}>
        <Panel item={item} columns={columns} />
      </div>
    </>
  );
}

/** The root is a prefix of every path, so it matches only itself. */
function isWithin(pathname: string, href: string): boolean {
  const isRoot = href.split("/").length <= 3;
  return isRoot ? pathname === href : pathname.startsWith(href);
}

interface PanelProps {
  item: MenuItem;
  columns: 6 | 7;
}

/** The category first, then its groups; many groups are narrower. */
function Panel({ item, columns }: PanelProps) {
  const t = useTexts();
  const isRoomy = item.subCategory.length <= 2;
  return (
    <div
      className={`wrap relative isolate grid gap-6 overflow-clip py-10 ${columns === 6 ? "grid-cols-6" : "grid-cols-7"}`}
    >
      <LotusMark className="absolute end-0 -bottom-1/3 -z-10 h-[150%] w-auto text-action opacity-[0.06]" />
      <div className={item.subCategory.length < columns - 1 ? "col-span-2" : ""}>
        <p className="display text-2xl">{item.category}</p>
        <MenuLink
          url={item.categoryUrl}
          noFollow={item.noFollow}
          className="mt-2 inline-flex min-h-11 items-center gap-2 rounded-field text-sm font-bold text-action hover:text-action-hover"
        >
          {t("nav.viewAll")}
          <Icon name="arrow" mirrored className="size-4" />
        </MenuLink>
      </div>
      {item.subCategory.map((group) => (
        <div key={group.name} className={isRoomy ? "col-span-2" : ""}>
          <p className="text-2xs font-bold text-muted">{group.name}</p>
          <ul className="mt-2">
            {group.links.map((link) => (
              <li key={link.url + link.text}>
                <MenuLink
                  url={link.url}
                  noFollow={link.noFollow}
                  className="-ms-3 flex min-h-11 items-center rounded-field px-3 text-sm font-semibold transition duration-200 hover:bg-mist aria-[current]:text-action"
                >
                  {link.text}
                </MenuLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
