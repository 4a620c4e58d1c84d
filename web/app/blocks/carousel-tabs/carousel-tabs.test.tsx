// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderBlock, stubBrowser } from "../family-tests/test-harness";
import CarouselTabs from "./carousel-tabs";

const selected = () => screen.getByRole("tab", { selected: true }).textContent;

describe("tabs that change automatically", () => {
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

  it("change every eight seconds and wrap around", () => {
    renderBlock(CarouselTabs, { id: "carousel-tabs" });
    const seen = [selected()];
    for (let turn = 0; turn < 3; turn += 1) {
      act(() => vi.advanceTimersByTime(8_000));
      seen.push(selected());
    }
    expect(seen).toEqual(["Morning", "Noon", "Night", "Morning"]);
  });

  it("show the pressed one", () => {
    renderBlock(CarouselTabs, { id: "carousel-tabs" });
    fireEvent.click(screen.getByRole("tab", { name: "Night" }));
    expect(screen.getByRole("heading", { level: 3 }).textContent).toBe("Night, ten minutes");
  });
});
