import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { centerXOf } from "~/lib/browser/element-center";

interface Tab<Key extends string> {
  key: Key;
  label: string;
}

interface TabsProps<Key extends string> {
  label: string;
  tabs: readonly Tab<Key>[];
  active: Key;
  onChange: (key: Key) => void;
  /** Full width, or as wide as the labels, at the start or centred. */
  look?: keyof typeof styles;
  children: ReactNode;
}

const styles = {
  fill: "flex",
  fit: "slider inline-flex max-w-full overflow-x-auto",
  middle: "slider mx-auto flex w-fit max-w-full overflow-x-auto",
} as const;

const narrow = "shrink-0 whitespace-nowrap";
const tabLooks = { fill: "grow basis-0", fit: narrow, middle: narrow } as const;

/** One panel, several tabs. Arrow keys move and select, as the ARIA pattern recommends for cheap panels. */
export function Tabs<Key extends string>({ label, tabs, active, onChange, look = "fill", children }: TabsProps<Key>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const bar = list.current;
    const tab = bar?.querySelector("[aria-selected=true]");
    // Scrolls the bar only: `scrollIntoView` would move the page as well.
    if (bar && tab && active) bar.scrollLeft += centerXOf(tab) - centerXOf(bar);
  }, [active]);

  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const forward = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const backward = forward === "ArrowRight" ? "ArrowLeft" : "ArrowRight";
    const step = event.key === forward ? 1 : event.key === backward ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const index = tabs.findIndex((tab) => tab.key === active);
    const next = (index + step + tabs.length) % tabs.length;
    const tab = tabs[next];
    if (!tab) return;
    onChange(tab.key);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };

  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className={`rounded-pill bg-mist p-1 ${styles[look]}`}
      >
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            aria-selected={tab.key === active}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === active ? 0 : -1}
            onClick={() => onChange(tab.key)}
            className={`min-h-11 rounded-pill px-4 text-sm font-semibold text-muted transition duration-200 hover:text-ink aria-selected:bg-card aria-selected:text-ink aria-selected:shadow-rest ${tabLooks[look]}`}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active}`} className="pt-6">
        {children}
      </div>
    </div>
  );
}
