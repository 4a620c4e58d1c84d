// @vitest-environment jsdom
import { act, cleanup, render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { LoadingOverlay } from "./loading-overlay";

const overlay = (isLoading: boolean) => (
  <TextsProvider locale="en" catalogue={catalogues.en}>
    <LoadingOverlay isLoading={isLoading} />
  </TextsProvider>
);
const shown = () => screen.queryByText("Loading your order");
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

describe("what lies over the page while the campaign is asked for", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it("is gone one second after the answer, and not before", () => {
    const { rerender } = render(overlay(true));
    pass(20_000);
    expect(shown()).not.toBeNull();
    rerender(overlay(false));
    pass(999);
    expect(shown()).not.toBeNull();
    pass(1);
    expect(shown()).toBeNull();
  });

  it("stays for another call that begins within that second", () => {
    const { rerender } = render(overlay(true));
    rerender(overlay(false));
    pass(900);
    rerender(overlay(true));
    pass(5_000);
    expect(shown()).not.toBeNull();
    rerender(overlay(false));
    pass(1_000);
    expect(shown()).toBeNull();
  });

  it("goes at once with what it lies over: an error is not waited for", () => {
    const { unmount } = render(overlay(true));
    unmount();
    expect(document.body.textContent).toBe("");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is read out, moves nothing and stops no finger", () => {
    const { container } = render(overlay(true));
    const status = screen.getByRole("status");
    expect(status.textContent).toBe("Loading your order");
    expect(container.contains(status)).toBe(false);
    expect(status.className).toContain("fixed");
    expect(status.className).toContain("pointer-events-none");
  });

  it("has nothing to say where nothing was asked for, and is in no page that the server sends", () => {
    render(overlay(false));
    pass(2_000);
    expect(shown()).toBeNull();
    expect(renderToString(overlay(true))).toBe("");
  });
});
