/** Renders one sample block in jsdom, with stubs for missing browser features. */
import { render } from "@testing-library/react";
import type { ComponentType } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { type Locale, localeOf } from "~/lib/locale";
import { present } from "../presenting/presenters.server";
import { samples } from "../samples";
import type { Kind, View } from "../types";

interface SampleOptions {
  /** Id of the sample. */
  id: string;
  url?: string;
}

export function renderBlock<K extends Kind>(
  Block: ComponentType<{ block: View<K> }>,
  { id, url = "/en/" }: SampleOptions,
) {
  const locale: Locale = localeOf(new URL(url, "https://stillpoint.example").pathname);
  const sample = samples.find((candidate) => candidate.id === id);
  if (!sample) throw new Error(`There is no sample ${id}`);
  const view = present(sample, { locale, template: "Page" }) as View<K>;
  const router = createMemoryRouter([{ path: "*", element: <Block block={view} /> }], { initialEntries: [url] });
  const page = render(
    <TextsProvider locale={locale} catalogue={catalogues[locale]}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  return { ...page, router };
}

interface BrowserOptions {
  reducedMotion?: boolean;
  /** Media events fire only when a test calls `playing`. */
  slowLine?: boolean;
}

/** Everything is in view, and dialogs and media elements work. */
export function stubBrowser({ reducedMotion = false, slowLine = false }: BrowserOptions = {}): void {
  vi.stubGlobal("matchMedia", (media: string) => ({
    media,
    matches: media.includes("reduced-motion") ? reducedMotion : false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal("IntersectionObserver", AllInView);
  Object.assign(HTMLDialogElement.prototype, {
    showModal(this: HTMLDialogElement) {
      this.open = true;
    },
    close(this: HTMLDialogElement) {
      this.open = false;
      this.dispatchEvent(new Event("close"));
    },
  });
  vi.spyOn(HTMLMediaElement.prototype, "load").mockReturnValue();
  const paused = new WeakMap<HTMLMediaElement, boolean>();
  vi.spyOn(HTMLMediaElement.prototype, "paused", "get").mockImplementation(function isPaused(this: HTMLMediaElement) {
    return paused.get(this) ?? true;
  });
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(async function play(this: HTMLMediaElement) {
    paused.set(this, false);
    if (!slowLine) this.dispatchEvent(new Event("playing"));
  });
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(function pause(this: HTMLMediaElement) {
    if (paused.get(this) === false) this.dispatchEvent(new Event("pause"));
    paused.set(this, true);
  });
}

class AllInView {
  readonly #report: IntersectionObserverCallback;
  constructor(report: IntersectionObserverCallback) {
    this.#report = report;
  }
  observe(target: Element) {
    const entry = { isIntersecting: true, target } as IntersectionObserverEntry;
    this.#report([entry], this as unknown as IntersectionObserver);
  }
  disconnect() {}
}

/** Slides are a hundred pixels apart, so the scroll offset identifies the requested one. */
export function placeSlides(container: HTMLElement) {
  const track = container.querySelector("ul");
  if (!track) throw new Error("There is no track");
  const scrolled = vi.fn();
  track.scrollBy = scrolled;
  track.getBoundingClientRect = () => new DOMRect(0, 0, 100, 50);
  [...track.children].forEach((slide, index) => {
    slide.getBoundingClientRect = () => new DOMRect(index * 100, 0, 100, 50);
  });
  return scrolled;
}

/** Sets the scroll position and fires the event. */
export function scrollTo(pixels: number): void {
  Object.defineProperty(window, "scrollY", { value: pixels, configurable: true });
  window.dispatchEvent(new Event("scroll"));
}
