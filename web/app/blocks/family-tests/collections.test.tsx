// @vitest-environment jsdom
import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import BlogCards from "../blog-cards/blog-cards";
import ExplanationBoxes from "../explanation-boxes/explanation-boxes";
import FeatureCards from "../feature-cards/feature-cards";
import GuideCards from "../guide-cards/guide-cards";
import ImageCollection from "../image-collection/image-collection";
import JobAd from "../job-ad/job-ad";
import SampleCollection from "../meditation-sample-collection/meditation-sample-collection";
import ProgramSamples from "../program-samples/program-samples";
import ScrollParallax from "../scroll-parallax/scroll-parallax";
import ScrollThrough from "../scroll-through/scroll-through";
import { renderBlock, stubBrowser } from "./test-harness";

/** Collections: what each item shows. */

beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it.each([
  ["pictures", 4],
  ["pictures-three", 3],
])("collection %s shows its %i pictures", (id, count) => {
  renderBlock(ImageCollection, { id });
  expect(within(screen.getByRole("list")).getAllByRole("img")).toHaveLength(count);
});

describe("explanation boxes", () => {
  it.each([
    ["boxes", "opacity-100"],
    ["boxes-faint", "opacity-[0.15]"],
  ])("of %s have a background of %s", (id, opacity) => {
    const { container } = renderBlock(ExplanationBoxes, { id });
    const backgrounds = [...container.querySelectorAll(".explanation-background")];
    expect(backgrounds).toHaveLength(2);
    for (const background of backgrounds) expect(background.getAttribute("class")).toContain(opacity);
  });

  it("at full opacity have readable text", () => {
    const { container } = renderBlock(ExplanationBoxes, { id: "boxes" });
    const [violet, gold] = [...container.querySelectorAll("li")];
    expect(violet?.className).toContain("on-night");
    expect(gold?.className).toContain("on-day");
  });
});

it("a guide card links out and shows duration, title, tag and the icon of its kind", () => {
  renderBlock(GuideCards, { id: "guides" });
  const [music, meditation] = screen.getAllByRole("article");
  const link = within(music as HTMLElement).getByRole("link", { name: /Rain on a tin roof/ });
  expect(link.getAttribute("target")).toBe("_blank");
  expect(music?.textContent).toContain("30 min");
  expect(music?.textContent).toContain("Sleep");
  expect(music?.querySelectorAll("use")[0]?.getAttribute("href")).toContain("#feature-music");
  expect(music?.querySelectorAll("use")[1]?.getAttribute("href")).toContain("#play");
  expect(meditation?.querySelector("use")?.getAttribute("href")).toContain("#feature-lotus");
});

describe("feature cards", () => {
  it("show content's fields", () => {
    const { container } = renderBlock(FeatureCards, { id: "features" });
    expect(screen.getByRole("heading", { level: 2, name: "Three ways to begin" })).toBeTruthy();
    for (const name of [/^Meditation/, /^Coaching/, /^Therapy/]) {
      expect(screen.getByRole("heading", { level: 3, name })).toBeTruthy();
    }
    expect(screen.getByText(/Somebody who writes back by name/)).toBeTruthy();
    expect(container.querySelectorAll("li use[href*='#feature-']")).toHaveLength(3);
  });

  it("are links with a text when they have a URL", () => {
    renderBlock(FeatureCards, { id: "features" });
    expect(screen.getAllByText("Read more")).toHaveLength(2);
    expect(screen.getByRole("link", { name: "Meditation" }).getAttribute("href")).toBe("/en/programs/");
    expect(screen.queryByRole("link", { name: "Coaching" })).toBeNull();
  });

  it("show their picture in place of the icon", () => {
    const { container } = renderBlock(FeatureCards, { id: "features-pictures" });
    expect(container.querySelectorAll("li img")).toHaveLength(2);
    expect(container.querySelector("li use[href*='#feature-']")).toBeNull();
  });
});

describe("samples", () => {
  it("have details in a popover", () => {
    renderBlock(SampleCollection, { id: "samples" });
    const more = screen.getByRole("button", { name: "About Sleep, gently" });
    const popover = document.getElementById(more.getAttribute("popovertarget") ?? "");
    expect(popover?.textContent).toContain("For the last half hour of the day.");
  });

  it("that are not in the page are loaded", async () => {
    vi.stubGlobal("fetch", async () => Response.json({ data: { items: [{ title: "Sea at night" }] } }));
    renderBlock(SampleCollection, { id: "samples-loaded" });
    expect(await screen.findByRole("heading", { name: "Sea at night" })).toBeTruthy();
  });

  it("that cannot be loaded are hidden", async () => {
    vi.stubGlobal("fetch", async () => new Response(null, { status: 503 }));
    renderBlock(SampleCollection, { id: "samples-loaded" });
    expect(await screen.findByText(/cannot be shown just now/)).toBeTruthy();
  });

  it("of programmes show their duration", () => {
    renderBlock(ProgramSamples, { id: "program-samples", url: "/ru/" });
    expect(screen.getByText("11 минут")).toBeTruthy();
    expect(screen.getByText("12 минут")).toBeTruthy();
  });
});

it("the parallax has two pictures that move in opposite directions", () => {
  const { container } = renderBlock(ScrollParallax, { id: "parallax" });
  expect(container.querySelectorAll("img.parallax")).toHaveLength(2);
  expect(container.querySelectorAll("img.parallax-counter")).toHaveLength(1);
});

it("every part of a scroll-through has title, text and picture, once for screen readers", () => {
  renderBlock(ScrollThrough, { id: "scroll-through" });
  const parts = screen.getAllByRole("listitem");
  expect(parts.map((part) => part.id)).toEqual(["arrive", "notice", "return"]);
  for (const part of parts) {
    expect(within(part).getByRole("heading")).toBeTruthy();
    expect(within(part).getByText(/Five minutes/)).toBeTruthy();
  }
  expect(screen.getAllByRole("img")).toHaveLength(3);
});

it("a blog card shows picture, heading, text, author and date, and links to its article", () => {
  renderBlock(BlogCards, { id: "blog", url: "/de/" });
  const [card] = screen.getAllByRole("article");
  const inside = within(card as HTMLElement);
  expect(inside.getByRole("link", { name: "How to fall asleep without trying" }).getAttribute("href")).toBe(
    "/de/articles/how-to-fall-asleep/",
  );
  expect(inside.getByText(/Trying is what keeps you awake/)).toBeTruthy();
  expect(inside.getByText("Ada Lindqvist")).toBeTruthy();
  expect(inside.getByText("9. März 2026").getAttribute("datetime")).toBe("2026-03-09");
  expect(card?.querySelector("img")?.getAttribute("src")).toBe("/art/cover/journal-sleep.svg");
});

it("every job has its name, its tag and a button with its link", () => {
  renderBlock(JobAd, { id: "jobs" });
  const [first, second] = screen.getAllByRole("listitem");
  expect(within(first as HTMLElement).getByRole("heading").textContent).toBe("Sound designer");
  expect(within(first as HTMLElement).getByText("Berlin or from home")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Read more: Sound designer" }).getAttribute("href")).toBe("/en/careers/");
  expect(
    within(second as HTMLElement)
      .getByRole("link")
      .getAttribute("href"),
  ).toBe("https://jobs.stillpoint.example/therapist/");
});
