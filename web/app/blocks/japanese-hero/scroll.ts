import { wantsCalm } from "~/lib/browser/media";

/** Space above the scroll target: the header and a margin. */
const OFFSET_PX = 150;

export function scrollTarget(topInView: number, scrolled: number): number {
  return Math.max(0, Math.round(topInView + scrolled - OFFSET_PX));
}

/** Scrolls a block of this page into view and focuses it. */
export function scrollToBlock(id: string): void {
  const target = document.getElementById(id);
  if (!target) return;
  const top = scrollTarget(target.getBoundingClientRect().top, window.scrollY);
  window.scrollTo({ top, behavior: wantsCalm() ? "auto" : "smooth" });
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
