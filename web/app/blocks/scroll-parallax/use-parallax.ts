import { type RefObject, useEffect } from "react";
import { wantsCalm } from "~/lib/browser/media";
import { shiftOf } from "./shift";

/** Sets `--shift` on the element, once per frame while it is in view. */
export function useParallax(element: RefObject<HTMLElement | null>, percentage: number): void {
  useEffect(() => {
    const target = element.current;
    if (!target || wantsCalm()) return;
    let frame = 0;
    const draw = () => {
      frame = 0;
      const { top, height } = target.getBoundingClientRect();
      target.style.setProperty("--shift", `${shiftOf(top + height / 2, window.innerHeight, percentage).toFixed(2)}%`);
    };
    const plan = () => {
      frame ||= requestAnimationFrame(draw);
    };
    // The last entry is the present state.
    const observer = new IntersectionObserver((entries) => {
      if (!entries.at(-1)?.isIntersecting) return window.removeEventListener("scroll", plan);
      window.addEventListener("scroll", plan, { passive: true });
      plan();
    });
    observer.observe(target);
    return () => {
      observer.disconnect();
      window.removeEventListener("scroll", plan);
      cancelAnimationFrame(frame);
    };
  }, [element, percentage]);
}
