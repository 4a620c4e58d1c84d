import { type RefObject, useCallback, useEffect, useState } from "react";
import { centerXOf } from "~/lib/browser/element-center";
import { wantsCalm } from "~/lib/browser/media";

/** The index after a step, wrapping around at both ends. */
export function wrapped(index: number, count: number): number {
  return count === 0 ? 0 : ((index % count) + count) % count;
}

/** The visible slide of a scroll-snap track, and a function to scroll to one. */
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

  const show = useCallback(
    (index: number) => {
      const element = track.current;
      const target = element?.children[wrapped(index, count)];
      if (!element || !target) return;
      // Scrolls the track only: `scrollIntoView` would move the page as well.
      element.scrollBy({ left: centerXOf(target) - centerXOf(element), behavior: wantsCalm() ? "auto" : "smooth" });
    },
    [track, count],
  );

  return { active, show };
}
