// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import Hero from "../hero/hero";
import NewYearHero from "../new-year-hero/new-year-hero";
import Picture from "../picture/picture";
import PromoVideo from "../promo-video/promo-video";
import { loadBlocks } from "../render";
import SuccessHero from "../success-hero/success-hero";
import SurveyLandingHero from "../survey-landing-hero/survey-landing-hero";
import TrainerHero from "../trainer-hero/trainer-hero";
import { renderBlock, stubBrowser } from "./test-harness";

/** Content of blocks without behaviour. */

beforeAll(() => loadBlocks(["Heading", "ButtonRow", "Picture", "PriceBadge", "MarkdownText", "Tag"]));
beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("the hero", () => {
  it("has two columns with its drawing", () => {
    const { container } = renderBlock(Hero, { id: "hero" });
    expect(container.querySelector(".dusk")).not.toBeNull();
    expect(container.querySelector("section > .wrap")?.className).toContain("lg:grid-cols");
  });

  it("is centred with inner blocks and one in the background, which rise as specified", async () => {
    const { container } = renderBlock(Hero, { id: "hero-centred" });
    await screen.findByText(/41 %/);
    expect(container.querySelector("section > .wrap")?.className).not.toContain("lg:grid-cols");
    expect(container.querySelector(".behind #hero-backdrop")).not.toBeNull();
    const { dataset } = container.querySelector(".fade-in-up") as HTMLElement;
    expect([dataset.fadeOffset, dataset.fadeDelay, dataset.fadeDuration]).toEqual(["50", "2500", "2500"]);
  });
});

describe("the hero with trainers", () => {
  it("moves them, announces each once, and can be paused", () => {
    const { container } = renderBlock(TrainerHero, { id: "trainers" });
    expect(container.querySelectorAll(".glide")).toHaveLength(2);
    expect(screen.getAllByText("Kenji Mori").filter((name) => !name.closest("[aria-hidden]"))).toHaveLength(1);
    fireEvent.click(screen.getByRole("button", { name: "Pause the animation" }));
    expect(container.querySelector(".trainers")?.hasAttribute("data-paused")).toBe(true);
  });
});

describe("the hero of the survey", () => {
  it("shows all of its eight parts", () => {
    const { container } = renderBlock(SurveyLandingHero, { id: "survey-landing" });
    expect(screen.getByRole("link", { name: "New: evenings without a screen" })).toBeTruthy();
    expect(screen.getByText("$91.99")).toBeTruthy();
    expect(screen.getByRole("link", { name: /This week/ })).toBeTruthy();
    expect(screen.getByRole("heading", { level: 1 })).toBeTruthy();
    expect(screen.getByText("for a clearer head")).toBeTruthy();
    expect(screen.getByText("Yours alone.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Begin" })).toBeTruthy();
    expect(container.querySelector("img")?.getAttribute("src")).toBe("/art/lotus/survey.svg");
  });
});

it("the success hero has its tick above its blocks", async () => {
  const { container } = renderBlock(SuccessHero, { id: "success-hero" });
  const tick = container.querySelector(".success-tick") as Element;
  const title = await screen.findByRole("heading", { name: "You are in" });
  expect(tick.compareDocumentPosition(title) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

it("the new-year hero shows its offer", () => {
  renderBlock(NewYearHero, { id: "new-year" });
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("A year with room to breathe");
  expect(screen.getByText("$91.99")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Begin" }).getAttribute("href")).toBe("/en/payment/annual/");
});

describe("the promotion", () => {
  it("is shown on the pages of its campaign", () => {
    renderBlock(PromoVideo, { id: "promo", url: "/tr/istanbulpanoramasi/" });
    expect(screen.getByRole("heading")).toBeTruthy();
  });

  it("is hidden elsewhere", () => {
    const { container } = renderBlock(PromoVideo, { id: "promo", url: "/tr/" });
    expect(container.textContent).toBe("");
  });
});

describe("pictures", () => {
  it("have a variant for phones", () => {
    const { container } = renderBlock(Picture, { id: "picture-text" });
    expect(container.querySelector("source")?.getAttribute("srcset")).toBe("/art/orb/quiet-hills.svg");
    expect(screen.getByRole("img", { name: "Hills under a low sun" })).toBeTruthy();
  });

  it("can be links", () => {
    renderBlock(Picture, { id: "picture-wide" });
    expect(screen.getByRole("link", { name: "Water in the evening" }).getAttribute("href")).toBe("/en/about/");
  });
});
