// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderBlock, stubBrowser } from "../family-tests/test-harness";
import JapaneseHero from "./japanese-hero";

describe("the Japanese hero", () => {
  beforeEach(() => stubBrowser());
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("has an app link and a video dialog on every tab", () => {
    const { container } = renderBlock(JapaneseHero, { id: "monsters" });
    fireEvent.click(screen.getByRole("tab", { name: "Brave" }));
    expect(screen.getByRole("link", { name: "Get the app" })).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Watch the film" }));
    expect(container.querySelector("dialog video")).not.toBeNull();
  });

  it("scrolls to the monsters from its first tab only, and stops above them", () => {
    renderBlock(JapaneseHero, { id: "monsters" });
    const target = document.body.appendChild(document.createElement("div"));
    target.id = "monsters-alone";
    target.getBoundingClientRect = () => new DOMRect(0, 1_000, 10, 10);
    const scrolled = vi.spyOn(window, "scrollTo").mockReturnValue();
    fireEvent.click(screen.getByRole("button", { name: "See all of them" }));
    expect(scrolled).toHaveBeenCalledWith({ top: 850, behavior: "smooth" });
    fireEvent.click(screen.getByRole("tab", { name: "Brave" }));
    expect(screen.queryByRole("button", { name: "See all of them" })).toBeNull();
    target.remove();
  });

  it("has no tabs for a single one, and no video without a URL", () => {
    renderBlock(JapaneseHero, { id: "monsters-alone" });
    expect(screen.queryByRole("tablist")).toBeNull();
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.getByRole("link", { name: "Get the app" })).toBeTruthy();
  });
});
