/**
 * Clicks on buttons before hydration. The server marks the page and each block with `data-asleep` until they are
 * hydrated. A click inside is queued and replayed after hydration; only the last one counts. Links, popovers and forms
 * with an action work without scripts and are not queued.
 */

/**
 * An inline script that runs before all other listeners: React must not handle a queued click, or it would run twice.
 */
export const QUEUE_PRESSES = `addEventListener("click", function (event) {
  var button = event.target.closest && event.target.closest("button");
  if (!button || !button.closest("[data-asleep]") || button.hasAttribute("popovertarget")) return;
  var form = button.type === "submit" && button.form;
  if (form && (form.hasAttribute("action") || form.method === "dialog")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (window.earlyPress) window.earlyPress.removeAttribute("data-pressed");
  window.earlyPress = button;
  button.setAttribute("data-pressed", "");
}, true);`;

declare global {
  interface Window {
    earlyPress?: HTMLElement | null;
  }
}

/** Called after hydration of an element: replays the click queued inside it. */
export function replayPress(element: Element): void {
  element.removeAttribute("data-asleep");
  const pressed = window.earlyPress;
  if (!pressed || !element.contains(pressed) || pressed.closest("[data-asleep]")) return;
  window.earlyPress = null;
  pressed.removeAttribute("data-pressed");
  pressed.click();
}
