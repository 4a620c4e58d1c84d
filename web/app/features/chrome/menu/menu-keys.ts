import type { KeyboardEvent } from "react";

/** Arrow keys move along the bar and within a panel; Escape closes the panel and focuses its button. */
export function walkMenu(event: KeyboardEvent<HTMLElement>) {
  const nav = event.currentTarget;
  const from = event.target as HTMLElement;
  const panel = from.closest<HTMLElement>("[popover]");
  const opened = nav.querySelector<HTMLElement>(":popover-open");
  if (event.key === "Escape" && opened) {
    opened.hidePopover();
    return focus(event, buttonOf(opened));
  }
  if (!panel && event.key === "ArrowDown") return enterPanel(event, from);
  const stops = panel ? focusable(panel) : [...nav.querySelectorAll<HTMLElement>("[data-entry]")];
  const next = nextIndex(event.key, stops.indexOf(from), stops.length, axisOf(nav, panel));
  if (next === null) return;
  focus(event, next < 0 && panel ? buttonOf(panel) : stops.at(next % stops.length));
}

function enterPanel(event: KeyboardEvent, button: HTMLElement) {
  const panel = button.nextElementSibling;
  if (!(panel instanceof HTMLElement) || !panel.popover) return;
  if (!panel.matches(":popover-open")) panel.showPopover();
  focus(event, focusable(panel)[0]);
}

interface Axis {
  forward: string;
  back: string;
}

function axisOf(nav: HTMLElement, panel: HTMLElement | null): Axis {
  if (panel) return { forward: "ArrowDown", back: "ArrowUp" };
  const isMirrored = nav.matches(":dir(rtl)");
  return isMirrored ? { forward: "ArrowLeft", back: "ArrowRight" } : { forward: "ArrowRight", back: "ArrowLeft" };
}

function nextIndex(key: string, current: number, count: number, { forward, back }: Axis): number | null {
  const places: Record<string, number> = { [forward]: current + 1, [back]: current - 1, Home: 0, End: count - 1 };
  return current < 0 ? null : (places[key] ?? null);
}

function focusable(panel: HTMLElement): HTMLElement[] {
  return [...panel.querySelectorAll<HTMLElement>("a[href]")];
}

function buttonOf(panel: HTMLElement): HTMLElement | undefined {
  return panel.previousElementSibling instanceof HTMLElement ? panel.previousElementSibling : undefined;
}

function focus(event: KeyboardEvent, target: HTMLElement | undefined) {
  event.preventDefault();
  target?.focus();
}
