import clsx from "clsx";
import { useScrolledPast } from "~/features/chrome/use-scrolled-past";
import { TrackedLinks } from "~/ui/link/tracked-links";
import type { BlockProps } from "../registry";
import { InnerBlocks } from "../render";
import "../hero/hero.css";
import "./landing-hero.css";

const SCROLLED_AFTER_PX = 80;

export default function LandingHero({ block }: BlockProps<"LandingHero">) {
  const isScrolled = useScrolledPast(SCROLLED_AFTER_PX);
  const [first, ...rest] = block.sections;
  return (
    <TrackedLinks>
      <section className={clsx("landing-hero relative isolate overflow-clip", isScrolled && "scrolled")}>
        {block.backgroundSection && (
          <div className="behind absolute inset-0 -z-10 overflow-hidden">
            <InnerBlocks sections={[block.backgroundSection]} />
            <div className="absolute inset-0 bg-paper/85" />
          </div>
        )}
        <div className="wrap grid items-center gap-10 pt-8 pb-14 md:pt-12 lg:grid-cols-2 lg:gap-16 lg:pb-20">
          {first && (
            <div className={clsx("min-w-0 space-y-6", block.reverse && "lg:order-last")}>
              <InnerBlocks sections={[first]} />
            </div>
          )}
          <div className="min-w-0 space-y-6">
            <InnerBlocks sections={rest} />
          </div>
        </div>
      </section>
    </TrackedLinks>
  );
}
