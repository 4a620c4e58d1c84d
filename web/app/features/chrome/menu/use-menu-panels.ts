import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { isInSafeTriangle, type Point } from "./safe-triangle";

/** A short detour on the way to the panel must not close it. */
const CLOSE_DELAY_MS = 300;

/** Opens and closes menu panels on hover. Clicks, Escape and light dismiss are native. */
export function useMenuPanels(nav: RefObject<HTMLElement | null>) {
  const [open, setOpen] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pointer = useRef<Point | null>(null);
  const crossed = useRef<HTMLElement | null>(null);
  const openedByHover = useRef(false);
  useCloseOnNavigation(nav);

  // A panel may have been opened before hydration.
  useEffect(() => setOpen(openPanelOf(nav)?.id ?? null), [nav]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = (item: HTMLElement) => {
    crossed.current = null;
    const panel = item.querySelector<HTMLElement>("[popover]");
    if (!panel) return openPanelOf(nav)?.hidePopover();
    if (panel === openPanelOf(nav)) return;
    panel.showPopover();
    openedByHover.current = true;
  };

  /** An item crossed on the way to an open panel opens only after a delay. */
  const enterItem = (item: HTMLElement, now: Point) => {
    const panel = openPanelOf(nav);
    clearTimeout(timer.current);
    if (!panel || item.contains(panel) || !pointer.current || !isInSafeTriangle(edgeOf(panel), pointer.current, now)) {
      return show(item);
    }
    crossed.current = item;
    timer.current = setTimeout(() => show(item), CLOSE_DELAY_MS);
  };

  const follow = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerType !== "mouse") return;
    const now = { x: event.clientX, y: event.clientY };
    // A `pointermove` at the same position follows each `pointerenter`: it has no direction.
    if (event.type === "pointermove" && pointer.current?.x === now.x && pointer.current.y === now.y) return;
    const isNews = event.type === "pointerenter" || crossed.current === event.currentTarget;
    if (isNews) enterItem(event.currentTarget, now);
    pointer.current = now;
  };

  return {
    open,
    onToggle: (id: string, state: string) => {
      if (state === "closed") openedByHover.current = false;
      setOpen((current) => (state === "open" ? id : current === id ? null : current));
    },
    /** The first click on a panel opened by hover keeps it open. */
    isKeptOpen: (id: string) => {
      const isKept = openedByHover.current && openPanelOf(nav)?.id === id;
      openedByHover.current = false;
      return isKept;
    },
    ofItem: { onPointerEnter: follow, onPointerMove: follow },
    onPointerLeave: () => {
      pointer.current = null;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => openPanelOf(nav)?.hidePopover(), CLOSE_DELAY_MS);
    },
  };
}

export function openPanelOf(nav: RefObject<HTMLElement | null>): HTMLElement | null {
  return nav.current?.querySelector<HTMLElement>(":popover-open") ?? null;
}

function useCloseOnNavigation(nav: RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const here = useRef(pathname);
  useEffect(() => {
    if (here.current === pathname) return;
    here.current = pathname;
    openPanelOf(nav)?.hidePopover();
  }, [nav, pathname]);
}

function edgeOf(panel: HTMLElement) {
  const { left, right, top } = panel.getBoundingClientRect();
  return { start: { x: left, y: top }, end: { x: right, y: top } };
}
