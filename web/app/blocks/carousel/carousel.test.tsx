// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { placeSlides, renderBlock, stubBrowser } from "../family-tests/test-harness";
import Carousel from "./carousel";

const show = () => {
  const { container } = renderBlock(Carousel, { id: "carousel" });
  return { scrolled: placeSlides(container), region: screen.getByRole("region") };
};
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

describe("a carousel", () => {
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

  it("advances every five seconds", () => {
    const { scrolled } = show();
    pass(4_999);
    expect(scrolled).not.toHaveBeenCalled();
    pass(1);
    expect(scrolled).toHaveBeenCalledOnce();
  });

  it("can be paused and resumed", () => {
    const { scrolled } = show();
    fireEvent.click(screen.getByRole("button", { name: "Stop moving by itself" }));
    pass(20_000);
    expect(scrolled).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole("button", { name: "Move by itself" }));
    pass(5_000);
    expect(scrolled).toHaveBeenCalledOnce();
  });

  it.each([
    ["pointed at", "pointerEnter", "pointerLeave"],
    ["focused", "focus", "blur"],
  ] as const)("waits while it is %s", (_, enter, leave) => {
    const { scrolled, region } = show();
    fireEvent[enter](region);
    pass(20_000);
    expect(scrolled).not.toHaveBeenCalled();
    fireEvent[leave](region);
    pass(5_000);
    expect(scrolled).toHaveBeenCalledOnce();
  });

  it("waits in a hidden tab", () => {
    const { scrolled } = show();
    vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    pass(20_000);
    expect(scrolled).not.toHaveBeenCalled();
  });

  it("does not advance under reduced motion", () => {
    stubBrowser({ reducedMotion: true });
    const { scrolled } = show();
    pass(20_000);
    expect(scrolled).not.toHaveBeenCalled();
    expect(screen.getByRole("button", { name: "Move by itself" })).toBeTruthy();
  });

  it("has nothing to press with a single slide", () => {
    renderBlock(Carousel, { id: "carousel-single" });
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("wraps around at both ends", () => {
    const { scrolled } = show();
    const active = screen
      .getAllByRole("button", { name: /^Show/ })
      .findIndex((dot) => dot.ariaCurrent || dot.hasAttribute("aria-current"));
    fireEvent.click(screen.getByRole("button", { name: "Next" }));
    const next = (active + 1) % 3;
    expect(scrolled).toHaveBeenLastCalledWith(expect.objectContaining({ left: next * 100 }));
    fireEvent.click(screen.getByRole("button", { name: "Previous" }));
    const previous = (active + 2) % 3;
    expect(scrolled).toHaveBeenLastCalledWith(expect.objectContaining({ left: previous * 100 }));
  });
});
