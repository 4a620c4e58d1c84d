import { describe, expect, it } from "vitest";
import { categoriesOf, nextPageOf, positionOf, questionsOf, toggleOption } from "./questions";

const open = { flows: [], variants: [], categories: [], abGroups: [] };
const kind = { flow: 0, variant: 15, categories: [101], abGroup: null };
const asked = (questions: Parameters<typeof questionsOf>[0], of = kind as Parameters<typeof questionsOf>[1]) =>
  questionsOf(questions as ({ id: string } & (typeof questions)[number])[], of).map(({ id }) => id);

describe("the questions of a survey", () => {
  it("are filtered by flow, variant, categories and test group", () => {
    const questions = [
      { ...open, id: "always" },
      { ...open, id: "flow-0", flows: [0, 2] },
      { ...open, id: "flow-1", flows: [1] },
      { ...open, id: "variant-79", variants: [79, 80] },
      { ...open, id: "sleep", categories: [101, 102] },
      { ...open, id: "focus", categories: [103] },
      { ...open, id: "group-b", abGroups: ["b"] },
    ];
    expect(asked(questions)).toEqual(["always", "flow-0", "sleep"]);
    expect(asked(questions, { flow: 1, variant: 80, categories: [103, 102], abGroup: "b" })).toEqual([
      "always",
      "flow-1",
      "variant-79",
      "sleep",
      "focus",
      "group-b",
    ]);
    expect(asked(questions, { ...kind, categories: [] })).toEqual(["always", "flow-0"]);
  });
});

describe("the position in a survey", () => {
  const questions = [{ id: "a" }, { id: "b" }, { id: "c" }];

  it("is the question in the URL, else the first unanswered one, else the first", () => {
    expect(positionOf(questions, {}, "c")).toBe(2);
    expect(positionOf(questions, { a: ["x"] }, null)).toBe(1);
    expect(positionOf(questions, { a: ["x"], b: [] }, "gone")).toBe(2);
    expect(positionOf(questions, { a: [], b: [], c: [] }, null)).toBe(0);
  });
});

describe("pressing an option", () => {
  it("replaces a single choice", () => {
    expect(toggleOption(["a"], "b", 1)).toEqual(["b"]);
    expect(toggleOption(["a"], "a", 1)).toEqual(["a"]);
  });

  it("toggles a multiple choice, up to its limit", () => {
    expect(toggleOption(["a"], "b", 2)).toEqual(["a", "b"]);
    expect(toggleOption(["a", "b"], "c", 2)).toEqual(["a", "b"]);
    expect(toggleOption(["a", "b"], "a", 2)).toEqual(["b"]);
  });
});

describe("parameters of the URL", () => {
  it("must be numbers", () => {
    expect(categoriesOf("101,x,,103")).toEqual([101, 103]);
    expect(categoriesOf(null)).toEqual([]);
  });

  it("lead to pages of this site only", () => {
    expect(nextPageOf("/creating-program", "/usual")).toBe("/creating-program");
    for (const elsewhere of [
      null,
      "",
      "//evil.example",
      "https://evil.example",
      "/\\evil",
      "/a?b=//c",
      "javascript:0",
    ]) {
      expect(nextPageOf(elsewhere, "/usual")).toBe("/usual");
    }
  });
});
