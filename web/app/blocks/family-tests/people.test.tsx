// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import CommentBox from "../comment-box/comment-box";
import Testimonials from "../testimonials/testimonials";
import { placeSlides, renderBlock, stubBrowser } from "./test-harness";

beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("comments", () => {
  it("show their number of five stars", () => {
    renderBlock(CommentBox, { id: "comments" });
    const filled = screen
      .getAllByRole("img")
      .map((stars) => [
        stars.getAttribute("aria-label"),
        stars.querySelectorAll('path[fill="currentColor"]').length,
        stars.querySelectorAll("path").length,
      ]);
    expect(filled).toEqual([
      ["Rated 5 of 5", 5, 5],
      ["Rated 4 of 5", 4, 5],
      ["Rated 3 of 5", 3, 5],
    ]);
  });

  it("have the editor's star colour", () => {
    renderBlock(CommentBox, { id: "comments" });
    expect(screen.getByRole("img", { name: "Rated 4 of 5" }).classList).toContain("paint_ink-x6953bb");
  });

  it("show name, place and text, and omit unknown fields", () => {
    renderBlock(CommentBox, { id: "comments" });
    const [first, second] = screen.getAllByRole("listitem");
    expect(first?.textContent).toBe("GentleIt does not nag. I come back because I want to.EKElif KayaIzmir");
    expect(within(second as HTMLElement).queryByRole("heading")).toBeNull();
    expect(second?.textContent).toMatch(/Jonas Weber$/);
  });
});

describe("testimonials", () => {
  it("have one slide and one dot each", () => {
    renderBlock(Testimonials, { id: "words" });
    const carousel = screen.getByRole("region", { name: "What members tell us" });
    expect(within(carousel).getAllByRole("listitem")).toHaveLength(3);
    expect(within(carousel).getAllByRole("button", { name: /^Show \d of 3$/ })).toHaveLength(3);
  });

  it("show the known fields of a person", () => {
    const { container } = renderBlock(Testimonials, { id: "words" });
    const [maya, tom, aiko] = screen.getAllByRole("listitem") as HTMLElement[];
    expect(maya?.textContent).toContain("MOMaya OkaforNurse, on nights");
    expect(
      within(tom as HTMLElement)
        .getByRole("link", { name: /Watch/ })
        .getAttribute("href"),
    ).toContain("tom.mp4");
    expect(within(tom as HTMLElement).getByRole("img", { name: "Turkcell" })).toBeTruthy();
    expect(container.querySelector('img[src="/art/avatar/tom-berg.svg"]')).not.toBeNull();
    expect(within(aiko as HTMLElement).getByRole("img", { name: "The shore Aiko listens by" })).toBeTruthy();
  });

  it("wrap around at both ends", () => {
    const { container } = renderBlock(Testimonials, { id: "words" });
    const scrolled = placeSlides(container);
    // All slides are in view here, so the third of three is active.
    fireEvent.click(screen.getByRole("button", { name: "Next" }));
    expect(scrolled).toHaveBeenLastCalledWith(expect.objectContaining({ left: 0 }));
  });

  it("have no controls for a single one", () => {
    renderBlock(Testimonials, { id: "words-one" });
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.getByRole("region").getAttribute("aria-label")).toBeTruthy();
  });
});
