// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Accordion from "../accordion/accordion";
import Heading from "../heading/heading";
import HorizontalRule from "../horizontal-rule/horizontal-rule";
import MarkdownText from "../markdown-text/markdown-text";
import ProgressBar from "../progress-bar/progress-bar";
import RulesPage from "../rules-page/rules-page";
import Tag from "../tag/tag";
import { renderBlock, stubBrowser } from "./test-harness";

beforeEach(() => stubBrowser());
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const sheets = () => [...document.querySelectorAll('link[rel="stylesheet"]')].map((link) => link.getAttribute("href"));

describe("a heading", () => {
  it("is the requested element, with its line below", () => {
    renderBlock(Heading, { id: "heading" });
    expect(screen.getByRole("heading", { level: 2 }).textContent).toBe("A quiet heading");
    expect(screen.getByText("and a line that says what follows")).toBeTruthy();
  });

  it("has a size independent of its element", () => {
    renderBlock(Heading, { id: "heading-small" });
    expect(screen.queryByRole("heading")).toBeNull();
    expect(screen.getByText(/^A paragraph/).className).toContain("text-base");
  });

  it("has the direction of its text", () => {
    renderBlock(Heading, { id: "heading-rtl" });
    expect(screen.getByRole("heading", { level: 4 }).closest("[dir]")?.getAttribute("dir")).toBe("rtl");
  });

  it("has the editor's colour, font, size and weight", () => {
    renderBlock(Heading, { id: "heading-set" });
    const look = "ink-x22533b_face-body_size-40_weight-800_leading-120";
    expect(screen.getByRole("heading", { level: 3 }).classList).toContain(`paint_${look}`);
    expect(sheets()).toContain(`/paint/${look}.css`);
  });

  it("has a gradient", () => {
    renderBlock(Heading, { id: "heading-gradient" });
    expect(screen.getByRole("heading").classList).toContain("paint_blend-x2f2a63--x6953bb");
  });
});

it("Markdown is rendered as its HTML", () => {
  const { container } = renderBlock(MarkdownText, { id: "text" });
  for (const element of ["h2", "h3", "strong", "a", "ul > li", "ol > li", "blockquote", "table td"]) {
    expect(container.querySelector(`.prose ${element}`), element).not.toBeNull();
  }
});

describe("the page of rules", () => {
  it("shows its HTML as markup, below its title", () => {
    renderBlock(RulesPage, { id: "rules" });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Rules of the New Year draw");
    expect(screen.getByRole("heading", { level: 2, name: "Who may take part" })).toBeTruthy();
    expect(screen.getAllByRole("listitem")).toHaveLength(3);
  });

  it("works without a title", () => {
    renderBlock(RulesPage, { id: "rules-untitled" });
    expect(screen.queryByRole("heading")).toBeNull();
  });
});

describe("questions", () => {
  it("contain their answers, collapsed, for search in the page", () => {
    const { container } = renderBlock(Accordion, { id: "faq" });
    const questions = [...container.querySelectorAll("details")];
    expect(questions).toHaveLength(3);
    expect(questions.every((question) => !question.open)).toBe(true);
    expect(questions[0]?.textContent).toContain("Everybody wanders off");
    expect(screen.getByRole("heading", { name: "Good questions" })).toBeTruthy();
  });
});

describe("a tag", () => {
  it("shows its text, in the design's colours by default", () => {
    renderBlock(Tag, { id: "tag" });
    expect(screen.getByText("New this week").className).toContain("bg-mist");
  });

  it("has the editor's colours", () => {
    renderBlock(Tag, { id: "tag-coloured" });
    expect(screen.getByText("Sleep").classList).toContain("paint_ink-xffffff_ground-x084e41");
  });
});

describe("a progress bar", () => {
  it.each([
    ["progress", "40", "40%"],
    ["progress-begun", "0", "0%"],
    ["progress-done", "100", "100%"],
  ])("of %s is at %s and says %s", (id, value, words) => {
    renderBlock(ProgressBar, { id });
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe(value);
    expect(screen.getByText(words)).toBeTruthy();
  });
});

it("a rule is a rule", () => {
  renderBlock(HorizontalRule, { id: "rule" });
  expect(screen.getByRole("separator").tagName).toBe("HR");
});
