import { useTexts } from "~/lib/i18n";
import { Icon } from "~/ui/icon/icon";
import type { MenuItem } from "./desktop-menu";
import { MenuLink } from "./menu-link";

const rowClass =
  "flex min-h-14 w-full items-center justify-between gap-4 border-b border-hairline text-start text-lg font-semibold aria-[current]:text-action";

interface TopMenuProps {
  menu: MenuItem[];
  /** The item whose sub-menu was just closed. */
  cameFrom: string | null;
  onEnter: (item: MenuItem) => void;
}

export function TopMenu({ menu, cameFrom, onEnter }: TopMenuProps) {
  return (
    <ul>
      {menu.map((item) => (
        <li key={item.id}>
          {item.subCategory.length > 0 ? (
            <button
              type="button"
              // biome-ignore lint/a11y/noAutofocus: the level one came from is gone, and focus with it.
              autoFocus={item.id === cameFrom}
              onClick={() => onEnter(item)}
              className={rowClass}
            >
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

export function BackButton({ onClick }: { onClick: () => void }) {
  const t = useTexts();
  return (
    <button
      type="button"
      // biome-ignore lint/a11y/noAutofocus: the level one came from is gone, and focus with it.
      autoFocus
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

export function SubMenu({ item }: { item: MenuItem }) {
  const t = useTexts();
  return (
    <div className="animate-enter">
      <p className="display text-2xl">{item.category}</p>
      <MenuLink
        url={item.categoryUrl}
        noFollow={item.noFollow}
        className="mt-1 inline-flex min-h-11 items-center gap-2 font-bold text-action"
      >
        {t("nav.viewAll")}
        <Icon name="arrow" mirrored />
      </MenuLink>
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
    </div>
  );
}
