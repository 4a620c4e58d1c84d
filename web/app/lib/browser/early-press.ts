/**
 * Presses on buttons that React has not taken over yet. The server marks whatever sleeps with `data-asleep`: the page, and each block on
 * it. A press in there is kept and made again once its place is awake; of several the last one counts, once.
 *
 * What works without scripts is left to the browser: links, popovers, and forms that have an address to be sent to.
 */

/** Runs in the head, in front of everything else that listens: React must not see a press that is kept, or it would be made twice. */
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

/** The place is awake: what was pressed there is pressed now. */
export function replayPress(place: Element): void {
  place.removeAttribute("data-asleep");
  const pressed = window.earlyPress;
  if (!pressed || !place.contains(pressed) || pressed.closest("[data-asleep]")) return;
  window.earlyPress = null;
  pressed.removeAttribute("data-pressed");
  pressed.click();
}
