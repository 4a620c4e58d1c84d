import { memo } from "react";
import { Blocks } from "~/blocks/render";
import type { SectionView } from "~/blocks/types";
import { type Arrangement, columnsOf } from "./templates";

interface PageLayoutProps {
  arrangement: Arrangement;
  sections: SectionView[];
}

/**
 * Lays out the blocks by the page's template; on a phone always in one column. Memoised: the router renders the route
 * at every step of a navigation, and React discards the server's HTML of a block that is rendered before its hydration.
 */
export const PageLayout = memo(function Arranged({ arrangement, sections }: PageLayoutProps) {
  const { main, side } = columnsOf(arrangement, sections);
  if (side.length === 0) return <Blocks sections={main} />;
  return (
    <div
      className={`columns wrap grid items-start gap-x-16 ${arrangement === "sideEnd" ? "lg:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]" : "lg:grid-cols-2"}`}
    >
      <div className="min-w-0">
        <Blocks sections={main} />
      </div>
      <aside className="min-w-0 lg:sticky lg:top-24">
        <Blocks sections={side} />
      </aside>
    </div>
  );
});
