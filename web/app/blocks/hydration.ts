/**
 * When a block of the first page comes to life: once it is seen or touched, at the latest when the browser has been idle for as long
 * as the specification says. Until then it is the server's HTML: links and questions work, and nothing competes with the first paint.
 */

const IDLE_TIMEOUT_MS = 2_000;
const TOUCHES = ["pointerover", "pointerdown", "touchstart", "focusin", "keydown"] as const;

interface Gate {
  promise: Promise<void>;
  open: () => void;
}

const gates = new Map<string, Gate>();
let isEverythingAwake = false;

/** What need not wait. The status is how React tells, without waiting for a turn, that there is nothing to wait for. */
export const HYDRATE_NOW: Promise<void> = opened(Promise.resolve());

function opened(promise: Promise<void>): Promise<void> {
  return Object.assign(promise, { status: "fulfilled", value: undefined });
}

/** Settles when the block may come to life. One per block and page life: React asks again at every attempt. */
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
 * Opens all gates, for good. Before React redraws what stands above a block it tries to bring the block to life; where that has to
 * wait, it throws the server's HTML away.
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
  // On the window and while capturing: React keeps events of what it has not hydrated yet from going any further.
  for (const name of TOUCHES) {
    window.addEventListener(name, isInside, { capture: true, passive: true, signal: stop.signal });
  }
  const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && wake());
  observer.observe(element);
  stop.signal.addEventListener("abort", () => observer.disconnect());
  whenIdle(wake);
}

function whenIdle(run: () => void): void {
  // Safari has no idle callback: there the longest wait is the wait.
  if ("requestIdleCallback" in window) window.requestIdleCallback(run, { timeout: IDLE_TIMEOUT_MS });
  else setTimeout(run, IDLE_TIMEOUT_MS);
}
