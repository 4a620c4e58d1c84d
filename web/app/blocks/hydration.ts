/**
 * Delays the hydration of server-rendered blocks until they are visible or touched, at the latest until the browser was
 * idle for the specified time. Until then their HTML works: links and details need no scripts, and nothing competes
 * with the first paint.
 */

const IDLE_TIMEOUT_MS = 2_000;
const TOUCHES = ["pointerover", "pointerdown", "touchstart", "focusin", "keydown"] as const;

interface Gate {
  promise: Promise<void>;
  open: () => void;
}

const gates = new Map<string, Gate>();
let isEverythingAwake = false;

/** A resolved promise. With `status` React renders without suspending. */
export const HYDRATE_NOW: Promise<void> = opened(Promise.resolve());

function opened(promise: Promise<void>): Promise<void> {
  return Object.assign(promise, { status: "fulfilled", value: undefined });
}

/** Settles when the block may hydrate. One per block and page, because React asks again on every attempt. */
export function hydrationOf(id: string): Promise<void> {
  if (isEverythingAwake) return HYDRATE_NOW;
  let gate = gates.get(id);
  if (!gate) {
    gate = closedGate();
    gates.set(id, gate);
    openWhenNeeded(id, gate.open);
  }
  return gate.promise;
}

/**
 * Opens all gates permanently. When something above a block re-renders, React first tries to hydrate the block; if that
 * has to wait, it discards the server's HTML.
 */
export function hydrateAll(): void {
  isEverythingAwake = true;
  for (const { open } of gates.values()) open();
}

function closedGate(): Gate {
  let settle = () => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const open = () => {
    opened(promise);
    settle();
  };
  return { promise, open };
}

function openWhenNeeded(id: string, open: () => void): void {
  const element = document.querySelector(`[data-block-id="${CSS.escape(id)}"]`);
  if (!element) {
    open();
    return;
  }
  const stop = new AbortController();
  const wake = () => {
    stop.abort();
    open();
  };
  const isInside = (event: Event) => event.target instanceof Node && element.contains(event.target) && wake();
  // Capturing listeners on the window: React stops events on content that is not hydrated.
  for (const name of TOUCHES) {
    window.addEventListener(name, isInside, { capture: true, passive: true, signal: stop.signal });
  }
  const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && wake());
  observer.observe(element);
  stop.signal.addEventListener("abort", () => observer.disconnect());
  whenIdle(wake);
}

function whenIdle(run: () => void): void {
  // Safari has no idle callback: a timeout with the maximum delay replaces it.
  if ("requestIdleCallback" in window) window.requestIdleCallback(run, { timeout: IDLE_TIMEOUT_MS });
  else setTimeout(run, IDLE_TIMEOUT_MS);
}
