/**
 * When a block of the first page comes to life: once it is seen or touched, at the latest when the browser has been idle for as long
 * as the specification says. Until then it is the server's HTML: links and questions work, and nothing competes with the first paint.
 */

const IDLE_TIMEOUT_MS = 2_000;
const TOUCHES = ["pointerover", "pointerdown", "touchstart", "focusin", "keydown"] as const;

const gates = new Map<string, Promise<void>>();

/** What need not wait. The status is how React tells, without waiting for a turn, that there is nothing to wait for. */
export const OPEN: Promise<void> = Object.assign(Promise.resolve(), { status: "fulfilled", value: undefined });

/** Settles when the block may come to life. One per block and page life: React asks again at every attempt. */
export function gateOf(id: string): Promise<void> {
  let gate = gates.get(id);
  if (!gate) {
    gate = waitFor(id);
    gates.set(id, gate);
  }
  return gate;
}

function waitFor(id: string): Promise<void> {
  const element = document.querySelector(`[data-block-id="${CSS.escape(id)}"]`);
  if (!element) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = new AbortController();
    const open = () => {
      stop.abort();
      resolve();
    };
    const isInside = (event: Event) => event.target instanceof Node && element.contains(event.target) && open();
    // On the window and while capturing: React keeps events of what it has not hydrated yet from going any further.
    for (const name of TOUCHES) {
      window.addEventListener(name, isInside, { capture: true, passive: true, signal: stop.signal });
    }
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && open());
    observer.observe(element);
    stop.signal.addEventListener("abort", () => observer.disconnect());
    whenIdle(open);
  });
}

function whenIdle(run: () => void): void {
  // Safari has no idle callback: there the longest wait is the wait.
  if ("requestIdleCallback" in window) window.requestIdleCallback(run, { timeout: IDLE_TIMEOUT_MS });
  else setTimeout(run, IDLE_TIMEOUT_MS);
}
