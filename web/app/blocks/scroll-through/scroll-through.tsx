import { useEffect, useRef, useState } from "react";
import { Picture } from "~/ui/picture/picture";
import { SectionHeader } from "~/ui/section-header/section-header";
import type { BlockProps } from "../registry";
import "./scroll-through.css";

type Part = BlockProps<"ScrollThrough">["block"]["parts"][number];

/** Below 768 px the parts are stacked; above, the picture stays and changes while the texts scroll. */
export default function ScrollThrough({ block }: BlockProps<"ScrollThrough">) {
  const list = useRef<HTMLOListElement>(null);
  const active = useMiddlePart(list);
  return (
    <section className="wrap section">
      <SectionHeader title={block.heading} />
      <div className="scroll-through">
        <ol ref={list} className="space-y-14 md:space-y-0">
          {block.parts.map((part, index) => (
            <Words key={part.id} part={part} isActive={index === active} heading={block.heading ? "h3" : "h2"} />
          ))}
        </ol>
        <div aria-hidden="true" className="scroll-through-stage">
          {block.parts.map((part, index) => (
            <Picture
              key={part.id}
              image={{ ...part.picture, alt: "" }}
              className={`col-start-1 row-start-1 aspect-square w-full rounded-card object-cover shadow-raised transition-opacity duration-[480ms] ease-enter ${index === active ? "" : "opacity-0"}`}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

interface WordsProps {
  part: Part;
  isActive: boolean;
  heading: "h2" | "h3";
}

function Words({ part, isActive, heading: Heading }: WordsProps) {
  return (
    <li
      id={part.id}
      data-active={isActive || undefined}
      className="scroll-through-part flex flex-col justify-center gap-6 md:min-h-[70vh] md:text-muted md:transition-colors md:duration-[320ms] md:data-active:text-ink"
    >
      <Picture image={part.picture} className="aspect-4/3 w-full rounded-card object-cover md:sr-only" />
      <div>
        <Heading className="display text-2xl md:text-3xl">{part.title}</Heading>
        <p className="mt-4 text-lg text-muted">{part.description}</p>
      </div>
    </li>
  );
}

/** The index of the item at the middle of the window. */
function useMiddlePart(list: { current: HTMLElement | null }): number {
  const [active, setActive] = useState(0);
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const seen = entries.find((entry) => entry.isIntersecting);
        if (seen) setActive([...element.children].indexOf(seen.target));
      },
      { rootMargin: "-50% 0px" },
    );
    for (const item of element.children) observer.observe(item);
    return () => observer.disconnect();
  }, [list]);
  return active;
}
