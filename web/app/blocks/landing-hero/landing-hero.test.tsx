// @vitest-environment jsdom
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ButtonLink } from "~/ui/button/button-link";
import { TrackedLinks } from "~/ui/link/tracked-links";
import { renderBlock, scrollTo, stubBrowser } from "../family-tests/test-harness";
import { loadBlocks } from "../render";
import LandingHero from "./landing-hero";

beforeAll(() => loadBlocks(["Heading", "ButtonRow", "Picture", "PriceBadge", "MarkdownText", "Tag"]));
beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  scrollTo(0);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function TrackedButton() {
  return (
    <TrackedLinks>
      <ButtonLink url="/signup">Begin</ButtonLink>
    </TrackedLinks>
  );
}

describe("the landing hero", () => {
  it("has its first block in one column, the others in the other, and the background in none", async () => {
    const { container } = renderBlock(LandingHero, { id: "landing" });
    await screen.findByText(/41 %/);
    const columns = [...container.querySelectorAll("section > .wrap > div")].map((column) =>
      [...column.querySelectorAll("[data-block-id]")].map((block) => block.id),
    );
    expect(columns).toEqual([["landing-words"], ["landing-picture", "landing-badge", "landing-buttons"]]);
    expect(container.querySelector(".behind #landing-backdrop")).not.toBeNull();
  });

  it("swaps the columns when reversed", async () => {
    const { container } = renderBlock(LandingHero, { id: "landing-reversed" });
    await screen.findByRole("heading", { level: 1 });
    expect(container.querySelector("#landing-reversed-words")?.parentElement?.className).toContain("lg:order-last");
  });

  it("has its scrolled style at 81 pixels, not at 80", () => {
    const { container } = renderBlock(LandingHero, { id: "landing" });
    const isScrolled = () => container.querySelector("section")?.classList.contains("scrolled");
    act(() => scrollTo(80));
    expect(isScrolled()).toBe(false);
    act(() => scrollTo(81));
    expect(isScrolled()).toBe(true);
  });
});

describe("buttons of a landing hero", () => {
  it("add the allowed tracking parameters, and no others", () => {
    renderBlock(TrackedButton, { id: "landing", url: "/en/individuals/?utm_source=a&foo=b" });
    expect(screen.getByRole("link", { name: "Begin" }).getAttribute("href")).toBe("/en/signup/?utm_source=a");
  });

  it("in other blocks add none", () => {
    renderBlock(() => <ButtonLink url="/signup">Begin</ButtonLink>, { id: "landing", url: "/en/?utm_source=a" });
    expect(screen.getByRole("link", { name: "Begin" }).getAttribute("href")).toBe("/en/signup/");
  });
});
