// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stage, standIn } from "../stage";
import Experts from "./experts";

describe("the experts", () => {
  beforeEach(() => standIn());
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("each have one item per focus area", () => {
    stage(Experts, { id: "experts" });
    const [first] = screen.getAllByRole("article");
    expect(
      within(first as HTMLElement)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual(["Anxiety", "Grief", "Change at work"]);
  });

  it("come round past either end", () => {
    const { container } = stage(Experts, { id: "experts" });
    const track = container.querySelector("ul") as HTMLUListElement;
    const scrolled = vi.fn();
    track.scrollBy = scrolled;
    track.getBoundingClientRect = () => new DOMRect(0, 0, 100, 50);
    [...track.children].forEach((slide, index) => {
      slide.getBoundingClientRect = () => new DOMRect(index * 100, 0, 100, 50);
    });
    // All slides are in view here, so the last one that was reported is the active one: the third of three.
    fireEvent.click(screen.getByRole("button", { name: "Next" }));
    expect(scrolled).toHaveBeenLastCalledWith(expect.objectContaining({ left: 0 }));
  });
});
