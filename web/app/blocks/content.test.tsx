// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import ExplanationBoxes from "./explanation-boxes/explanation-boxes";
import FeatureCards from "./feature-cards/feature-cards";
import GuideCards from "./guide-cards/guide-cards";
import Hero from "./hero/hero";
import ImageCollection from "./image-collection/image-collection";
import SampleCollection from "./meditation-sample-collection/meditation-sample-collection";
import NewYearHero from "./new-year-hero/new-year-hero";
import Picture from "./picture/picture";
import PriceBadge from "./price-badge/price-badge";
import ProgramSamples from "./program-samples/program-samples";
import PromoVideo from "./promo-video/promo-video";
import Qr from "./qr/qr";
import ScrollParallax from "./scroll-parallax/scroll-parallax";
import ScrollThrough from "./scroll-through/scroll-through";
import { stage, standIn } from "./stage";
import SuccessHero from "./success-hero/success-hero";
import SurveyLandingHero from "./survey-landing-hero/survey-landing-hero";
import TrainerHero from "./trainer-hero/trainer-hero";

/** What blocks without a life of their own show of their content. */

beforeEach(() => standIn());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("the hero", () => {
  it("stands in two columns with its drawing", () => {
    const { container } = stage(Hero, { id: "hero" });
    expect(container.querySelector(".dusk")).not.toBeNull();
    expect(container.querySelector("section > .wrap")?.className).toContain("lg:grid-cols");
  });

  it("stands centred with blocks in it and one behind it, which rise as specified", async () => {
    const { container } = stage(Hero, { id: "hero-centred" });
    await screen.findByText(/41 %/);
    expect(container.querySelector("section > .wrap")?.className).not.toContain("lg:grid-cols");
    expect(container.querySelector(".behind #hero-backdrop")).not.toBeNull();
    const { dataset } = container.querySelector(".fade-in-up") as HTMLElement;
    expect([dataset.fadeOffset, dataset.fadeDelay, dataset.fadeDuration]).toEqual(["50", "2500", "2500"]);
  });
});

describe("the hero with trainers", () => {
  it("has them glide, each read out once, and a way to stop it", () => {
    const { container } = stage(TrainerHero, { id: "trainers" });
    expect(container.querySelectorAll(".glide")).toHaveLength(2);
    expect(screen.getAllByText("Kenji Mori").filter((name) => !name.closest("[aria-hidden]"))).toHaveLength(1);
    fireEvent.click(screen.getByRole("button", { name: "Pause the animation" }));
    expect(container.querySelector(".trainers")?.hasAttribute("data-paused")).toBe(true);
  });
});

describe("the hero of the survey", () => {
  it("shows all of its eight parts", () => {
    const { container } = stage(SurveyLandingHero, { id: "survey-landing" });
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
  const { container } = stage(SuccessHero, { id: "success-hero" });
  const tick = container.querySelector(".success-tick") as Element;
  const title = await screen.findByRole("heading", { name: "You are in" });
  expect(tick.compareDocumentPosition(title) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

it("the new-year hero shows its offer", () => {
  stage(NewYearHero, { id: "new-year" });
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("A year with room to breathe");
  expect(screen.getByText("$91.99")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Begin" }).getAttribute("href")).toBe("/en/payment/annual/");
});

describe("the promotion", () => {
  it("is shown on the pages of its campaign", () => {
    stage(PromoVideo, { id: "promo", url: "/tr/istanbulpanoramasi/" });
    expect(screen.getByRole("heading")).toBeTruthy();
  });

  it("is shown nowhere else", () => {
    const { container } = stage(PromoVideo, { id: "promo", url: "/tr/" });
    expect(container.textContent).toBe("");
  });
});

describe("pictures", () => {
  it("have one of their own for phones", () => {
    const { container } = stage(Picture, { id: "picture-text" });
    expect(container.querySelector("source")?.getAttribute("srcset")).toBe("/art/orb/quiet-hills.svg");
    expect(screen.getByRole("img", { name: "Hills under a low sun" })).toBeTruthy();
  });

  it("lead somewhere where they should", () => {
    stage(Picture, { id: "picture-wide" });
    expect(screen.getByRole("link", { name: "Water in the evening" }).getAttribute("href")).toBe("/en/about/");
  });

  it.each([
    ["pictures", 4, "grid-cols-2 md:grid-cols-4"],
    ["pictures-three", 3, "grid-cols-2"],
  ])("of collection %s, which are %i, stand in %s", (id, count, columns) => {
    stage(ImageCollection, { id });
    const list = screen.getByRole("list");
    expect(within(list).getAllByRole("img")).toHaveLength(count);
    expect(list.className.endsWith(columns)).toBe(true);
  });
});

describe("explanation boxes", () => {
  it.each([
    ["boxes", "opacity-100"],
    ["boxes-faint", "opacity-[0.15]"],
  ])("of %s have a background of %s", (id, opacity) => {
    const { container } = stage(ExplanationBoxes, { id });
    const backgrounds = [...container.querySelectorAll(".explanation-background")];
    expect(backgrounds).toHaveLength(2);
    for (const background of backgrounds) expect(background.getAttribute("class")).toContain(opacity);
  });

  it("at full strength carry words that can be read on them", () => {
    const { container } = stage(ExplanationBoxes, { id: "boxes" });
    const [violet, gold] = [...container.querySelectorAll("li")];
    expect(violet?.className).toContain("text-white");
    expect(gold?.className).toContain("text-night-deep");
  });
});

it("a guide card leads out and shows duration, title, tag and the icon of its kind", () => {
  stage(GuideCards, { id: "guides" });
  const [music, meditation] = screen.getAllByRole("article");
  const link = within(music as HTMLElement).getByRole("link", { name: /Rain on a tin roof/ });
  expect(link.getAttribute("target")).toBe("_blank");
  expect(music?.textContent).toContain("30 min");
  expect(music?.textContent).toContain("Sleep");
  expect(music?.querySelectorAll("use")[0]?.getAttribute("href")).toContain("#feature-music");
  expect(music?.querySelectorAll("use")[1]?.getAttribute("href")).toContain("#play");
  expect(meditation?.querySelector("use")?.getAttribute("href")).toContain("#feature-lotus");
});

it("feature cards that lead somewhere are links", () => {
  stage(FeatureCards, { id: "features" });
  expect(screen.getByRole("link", { name: "Meditation" }).getAttribute("href")).toBe("/en/programs/");
  expect(screen.queryByRole("link", { name: "Coaching" })).toBeNull();
});

describe("samples", () => {
  it("tell more in a popover", () => {
    stage(SampleCollection, { id: "samples" });
    const more = screen.getByRole("button", { name: "About Sleep, gently" });
    const popover = document.getElementById(more.getAttribute("popovertarget") ?? "");
    expect(popover?.textContent).toContain("For the last half hour of the day.");
  });

  it("that are not on the page are asked for", async () => {
    vi.stubGlobal("fetch", async () => Response.json({ data: { items: [{ title: "Sea at night" }] } }));
    stage(SampleCollection, { id: "samples-loaded" });
    expect(await screen.findByRole("heading", { name: "Sea at night" })).toBeTruthy();
  });

  it("that cannot be had are not shown as nothing", async () => {
    vi.stubGlobal("fetch", async () => new Response(null, { status: 503 }));
    stage(SampleCollection, { id: "samples-loaded" });
    expect(await screen.findByText(/cannot be shown just now/)).toBeTruthy();
  });

  it("of programmes say how long they take", () => {
    stage(ProgramSamples, { id: "program-samples", url: "/ru/" });
    expect(screen.getByText("11 минут")).toBeTruthy();
    expect(screen.getByText("12 минут")).toBeTruthy();
  });
});

describe("a price badge", () => {
  it("has the words before the price in English", () => {
    const { container } = stage(PriceBadge, { id: "badge" });
    expect(container.textContent).toMatch(/\$91\.99 a year instead of \$155\.88/);
  });

  it("has them behind it in Turkish", () => {
    const { container } = stage(PriceBadge, { id: "badge", url: "/tr/" });
    expect(container.textContent).toMatch(/\$155\.88 yerine \$91\.99/);
  });

  it("shows the partner's logo, and its own words without a period", () => {
    const { container } = stage(PriceBadge, { id: "badge-partner" });
    expect(screen.getByRole("img", { name: "Turkcell" })).toBeTruthy();
    expect(container.textContent).toBe("3 months for the price of 1");
  });

  it("shows the hungry disc", () => {
    const { container } = stage(PriceBadge, { id: "badge-gradient" });
    expect(container.querySelector('svg path[fill="#f2c76e"]')).not.toBeNull();
  });
});

it("the code is drawn, with a button for whoever holds the phone already", () => {
  stage(Qr, { id: "qr" });
  expect(screen.getByRole("img").querySelector("path")).not.toBeNull();
  expect(screen.getByRole("link", { name: /Open the app/ })).toBeTruthy();
});

it("the parallax has two pictures that move against each other", () => {
  const { container } = stage(ScrollParallax, { id: "parallax" });
  expect(container.querySelectorAll("img.parallax")).toHaveLength(2);
  expect(container.querySelectorAll("img.parallax-counter")).toHaveLength(1);
});

it("every part of a scroll-through has title, words and picture, once for readers", () => {
  stage(ScrollThrough, { id: "scroll-through" });
  const parts = screen.getAllByRole("listitem");
  expect(parts.map((part) => part.id)).toEqual(["arrive", "notice", "return"]);
  for (const part of parts) {
    expect(within(part).getByRole("heading")).toBeTruthy();
    expect(within(part).getByText(/Five minutes/)).toBeTruthy();
  }
  expect(screen.getAllByRole("img")).toHaveLength(3);
});
