import { wantsCalm } from "~/lib/browser/media";

/** What stands above the target when it has been scrolled to: header and a breath of air. */
const OFFSET_PX = 150;

export function scrollTarget(topInView: number, scrolled: number): number {
  return Math.max(0, Math.round(topInView + scrolled - OFFSET_PX));
}

/** Brings a block of this page into view and moves the keyboard there. */
export function scrollToBlock(id: string): void {
  const target = document.getElementById(id);
  if (!target) return;
  const top = scrollTarget(target.getBoundingClientRect().top, window.scrollY);
  window.scrollTo({ top, behavior: wantsCalm() ? "auto" : "smooth" });
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
