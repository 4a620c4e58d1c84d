import { type RefObject, useEffect, useState } from "react";
import { wantsCalm } from "~/lib/browser/media";

const PLAYS_AFTER_PX = 100;

/**
 * True once the page is scrolled by so many pixels with the video in view; never under reduced motion or data saving.
 */
export function useScrolledToPlay(element: RefObject<HTMLElement | null>): boolean {
  const [isReached, setReached] = useState(false);
  useEffect(() => {
    const video = element.current;
    if (!video || isReached || wantsCalm() || savesData()) return;
    let isSeen = false;
    const check = () => setReached(isSeen && window.scrollY > PLAYS_AFTER_PX);
    const observer = new IntersectionObserver((entries) => {
      isSeen = entries.at(-1)?.isIntersecting ?? false;
      check();
    });
    observer.observe(video);
    window.addEventListener("scroll", check, { passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener("scroll", check);
    };
  }, [element, isReached]);
  return isReached;
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
