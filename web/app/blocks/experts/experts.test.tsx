// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { placeSlides, renderBlock, stubBrowser } from "../family-tests/test-harness";
import Experts from "./experts";

describe("the experts", () => {
  beforeEach(() => stubBrowser());
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("have one item per focus area each", () => {
    renderBlock(Experts, { id: "experts" });
    const [first] = screen.getAllByRole("article");
    expect(
      within(first as HTMLElement)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual(["Anxiety", "Grief", "Change at work"]);
  });

  it("wrap around at both ends", () => {
    const { container } = renderBlock(Experts, { id: "experts" });
    const scrolled = placeSlides(container);
    // All slides are in view here, so the last reported one is active: the third of three.
    fireEvent.click(screen.getByRole("button", { name: "Next" }));
    expect(scrolled).toHaveBeenLastCalledWith(expect.objectContaining({ left: 0 }));
  });
});
