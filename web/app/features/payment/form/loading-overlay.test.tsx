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

describe("the loading overlay of a campaign", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it("disappears one second after the response", () => {
    const { rerender } = render(overlay(true));
    pass(20_000);
    expect(shown()).not.toBeNull();
    rerender(overlay(false));
    pass(999);
    expect(shown()).not.toBeNull();
    pass(1);
    expect(shown()).toBeNull();
  });

  it("stays when another call starts within that second", () => {
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

  it("disappears at once when it unmounts", () => {
    const { unmount } = render(overlay(true));
    unmount();
    expect(document.body.textContent).toBe("");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is announced, and blocks neither layout nor clicks", () => {
    const { container } = render(overlay(true));
    const status = screen.getByRole("status");
    expect(status.textContent).toBe("Loading your order");
    expect(container.contains(status)).toBe(false);
    expect(status.className).toContain("fixed");
    expect(status.className).toContain("pointer-events-none");
  });

  it("is absent without a call and in server-rendered HTML", () => {
    render(overlay(false));
    pass(2_000);
    expect(shown()).toBeNull();
    expect(renderToString(overlay(true))).toBe("");
  });
});
