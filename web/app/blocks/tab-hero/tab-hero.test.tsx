// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderBlock, stubBrowser } from "../family-tests/test-harness";
import TabHero from "./tab-hero";

describe("the hero with tabs", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    stubBrowser();
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("loads its background after half a second", () => {
    const { container } = renderBlock(TabHero, { id: "tab-hero" });
    act(() => vi.advanceTimersByTime(499));
    expect(container.querySelector("img")).toBeNull();
    act(() => vi.advanceTimersByTime(1));
    expect(container.querySelector("img")?.getAttribute("src")).toBe("/art/waves/evening.svg");
  });

  it("shows the pressed tab", () => {
    renderBlock(TabHero, { id: "tab-hero" });
    fireEvent.click(screen.getByRole("tab", { name: "Focus" }));
    expect(screen.getByRole("tab", { name: "Focus" }).getAttribute("aria-selected")).toBe("true");
    expect(screen.getByRole("tab", { name: "Sleep" }).getAttribute("aria-selected")).toBe("false");
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("One thing at a time");
  });
});
