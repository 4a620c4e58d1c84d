// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { hydrateAll, hydrationOf } from "./hydration";

const seen = new Map<Element, () => void>();

class Watching {
  constructor(readonly report: IntersectionObserverCallback) {}
  observe(target: Element) {
    seen.set(target, () => this.report([{ isIntersecting: true, target } as IntersectionObserverEntry], this as never));
  }
  disconnect() {}
}

let count = 0;

/** A server-rendered block, and whether it is hydrated. */
function block() {
  const element = document.body.appendChild(document.createElement("div"));
  count += 1;
  element.dataset.blockId = `block-${count}`;
  element.innerHTML = "<button>Press</button>";
  let isAwake = false;
  void hydrationOf(`block-${count}`).then(() => {
    isAwake = true;
  });
  return {
    element,
    isAwake: async () => {
      await Promise.resolve();
      await Promise.resolve();
      return isAwake;
    },
  };
}

describe("a server-rendered block", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("CSS", { escape: (text: string) => text });
    vi.stubGlobal("IntersectionObserver", Watching);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    document.body.replaceChildren();
  });

  it("is hydrated after two idle seconds", async () => {
    const { isAwake } = block();
    vi.advanceTimersByTime(1_999);
    expect(await isAwake()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await isAwake()).toBe(true);
  });

  it("is hydrated when it is visible", async () => {
    const { element, isAwake } = block();
    seen.get(element)?.();
    expect(await isAwake()).toBe(true);
  });

  it.each(["pointerover", "touchstart", "focusin", "keydown"])(
    "is hydrated on %s inside, not elsewhere",
    async (name) => {
      const [one, other] = [block(), block()];
      one.element.firstElementChild?.dispatchEvent(new Event(name, { bubbles: true }));
      expect(await one.isAwake()).toBe(true);
      expect(await other.isAwake()).toBe(false);
    },
  );

  it("is hydrated at once when it is not in the document", async () => {
    await expect(hydrationOf("nowhere")).resolves.toBeUndefined();
  });

  // Last, because it is irreversible.
  it("is hydrated with all others before a navigation; later ones at once", async () => {
    const [one, other] = [block(), block()];
    hydrateAll();
    expect([await one.isAwake(), await other.isAwake(), await block().isAwake()]).toEqual([true, true, true]);
  });
});
