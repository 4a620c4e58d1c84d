// @vitest-environment jsdom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import CallToActionBanner from "../call-to-action-banner/call-to-action-banner";
import ProgramScopeCard from "../program-scope-card/program-scope-card";
import ReadMoreArticles from "../read-more-articles/read-more-articles";
import { renderBlock, stubBrowser } from "./test-harness";

beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("a banner", () => {
  it("has a call to action with its link", () => {
    renderBlock(CallToActionBanner, { id: "banner" });
    expect(screen.getByRole("heading", { name: "Ten minutes from now you could feel different" })).toBeTruthy();
    expect(screen.getByText(/You need no account/)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Start listening" }).className).toContain("bg-action");
    expect(screen.getByRole("link", { name: "See the plans" }).getAttribute("href")).toBe("/en/pricing/");
  });

  it.each([
    ["banner", null, "on-night"],
    ["banner-light", "#f2c76e", "on-day"],
    ["banner-grey", null, "on-night"],
  ])("%s has the background %s and the text colour %s", (id, ground, scope) => {
    const { container } = renderBlock(CallToActionBanner, { id });
    expect(container.querySelector("rect")?.getAttribute("fill") ?? null).toBe(ground);
    expect(container.querySelector(`.${scope}`)).not.toBeNull();
  });
});

describe("related articles", () => {
  it("link to themselves", () => {
    renderBlock(ReadMoreArticles, { id: "articles" });
    const links = screen.getAllByRole("article").map((card) => within(card).getByRole("link").getAttribute("href"));
    expect(links).toEqual([
      "/en/articles/how-to-fall-asleep/",
      "/en/articles/ten-minute-meditation/",
      "/en/articles/doing-nothing/",
    ]);
  });

  it("have a call to action from content, or ours", () => {
    renderBlock(ReadMoreArticles, { id: "articles" });
    const [own, ours] = screen.getAllByRole("article");
    expect(own?.textContent).toContain("Read about sleep");
    expect(ours?.textContent).toContain("Read more");
  });

  it("have headings one level below the block's, or in its place", () => {
    renderBlock(ReadMoreArticles, { id: "articles" });
    expect(screen.getAllByRole("heading", { level: 3 })).toHaveLength(3);
    cleanup();
    renderBlock(ReadMoreArticles, { id: "articles-untitled" });
    expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(2);
  });
});

it("a scope card lists its content, with icon and picture", () => {
  const { container } = renderBlock(ProgramScopeCard, { id: "scope" });
  expect(screen.getByRole("heading", { name: "What is inside" })).toBeTruthy();
  const icons = screen
    .getAllByRole("listitem")
    .map((item) => item.querySelector("use")?.getAttribute("href")?.split("#")[1]);
  expect(icons).toEqual(["feature-moon", "feature-calendar", "check"]);
  expect(container.querySelector("img")?.getAttribute("alt")).toBe("A blue orb with a moon");
});
