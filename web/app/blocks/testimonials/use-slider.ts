import { type RefObject, useEffect, useState } from "react";

/** The index a step leads to: past either end it comes round to the other. */
export function wrapped(index: number, count: number): number {
  return count === 0 ? 0 : ((index % count) + count) % count;
}

/** Which slide of a scroll-snap track is in view, and a way to bring one there. The browser does the scrolling. */
export function useSlider(track: RefObject<HTMLElement | null>, count: number) {
  const [active, setActive] = useState(0);

  useEffect(() => {
    const element = track.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const seen = entries.find((entry) => entry.isIntersecting);
        if (seen) setActive([...element.children].indexOf(seen.target));
      },
      { root: element, threshold: 0.6 },
    );
    for (const slide of element.children) observer.observe(slide);
    return () => observer.disconnect();
  }, [track]);

  const show = (index: number) => {
    const target = track.current?.children[wrapped(index, count)];
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    target?.scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "nearest", inline: "center" });
  };

  return { active, show };
}
