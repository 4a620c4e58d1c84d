import { Link } from "react-router";
import { LOCALES, type Locale, locales } from "~/lib/locale";
import { LotusMark } from "~/ui/art/lotus";
import { Icon } from "~/ui/icon/icon";
import { SchemeSwitch } from "./scheme";

/** Related kinds of blocks. */
export interface Group {
  name: string;
  kinds: string[];
}

interface PlaceProps {
  locale: Locale;
  /** The selected kind; null: all. */
  kind: string | null;
}

export function galleryPath(locale: Locale, kind?: string | null): string {
  return `/${locale}/gallery/${kind ? `${kind}/` : ""}`;
}

const linkClass =
  "inline-flex min-h-11 items-center rounded-pill px-3 text-sm text-muted hover:bg-mist hover:text-ink aria-[current]:bg-mist aria-[current]:font-bold aria-[current]:text-ink";

export function Toolbar({ locale, kind }: PlaceProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
      <div className="flex items-center gap-3">
        <LotusMark className="h-10 w-auto text-action" />
        <Link to={galleryPath(locale)} reloadDocument className="display text-3xl">
          Gallery
        </Link>
      </div>
      <SchemeSwitch />
      <nav aria-label="Languages" className="-mx-3 flex basis-full flex-wrap">
        {LOCALES.map((other) => (
          <Link
            key={other}
            to={galleryPath(other, kind)}
            reloadDocument
            lang={other}
            dir={locales[other].dir}
            aria-current={other === locale ? "page" : undefined}
            className={linkClass}
          >
            {locales[other].name}
          </Link>
        ))}
      </nav>
    </div>
  );
}

interface ContentsProps extends PlaceProps {
  groups: Group[];
}

export function Contents({ locale, kind, groups }: ContentsProps) {
  const kinds = groups.flatMap((group) => group.kinds);
  return (
    <details open={!kind} className="group mt-4 rounded-card bg-card p-2 shadow-rest">
      <summary className="flex min-h-11 items-center justify-between gap-4 rounded-field px-3 font-bold">
        {kind ?? `Every block, ${kinds.length} kinds`}
        <Icon name="chevron-down" className="transition-transform group-open:rotate-180" />
      </summary>
      <div className="grid gap-x-6 gap-y-4 px-3 py-4 md:grid-cols-2 lg:grid-cols-3">
        {groups.map(({ name, kinds: members }) => (
          <section key={name} aria-label={name}>
            <h2 className="display text-lg">{name}</h2>
            <ul className="-mx-3 mt-1 flex flex-wrap">
              {members.map((member) => (
                <li key={member}>
                  <Link
                    to={galleryPath(locale, member)}
                    reloadDocument
                    aria-current={member === kind ? "page" : undefined}
                    className={linkClass}
                  >
                    {member}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </details>
  );
}

export function Neighbours({ locale, kind, groups }: ContentsProps & { kind: string }) {
  const kinds = groups.flatMap((group) => group.kinds);
  const at = kinds.indexOf(kind);
  return (
    <nav aria-label="Neighbours" className="wrap flex justify-between gap-4 py-8" dir="ltr" lang="en">
      {[kinds.at(at - 1), kinds[(at + 1) % kinds.length]].map((other) => (
        <Link key={other} to={galleryPath(locale, other)} reloadDocument className={`${linkClass} text-action`}>
          {other}
        </Link>
      ))}
    </nav>
  );
}
