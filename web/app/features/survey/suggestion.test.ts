import { describe, expect, it } from "vitest";
import { reasonsFor, suggestedProgram } from "./suggestion";

const match = (question: string, option: string, reason: string | null = null) => ({ question, option, reason });
const sleep = {
  id: "sleep",
  matches: [
    match("categories", "101", "Sleep is hard"),
    match("nights", "slowly", "You lie awake"),
    match("when", "evening"),
  ],
};
const focus = {
  id: "focus",
  matches: [match("categories", "103", "You drift"), match("when", "morning", "You drift")],
};
const programs = [sleep, focus];

describe("the suggested programme", () => {
  it("has the most matching answers", () => {
    expect(suggestedProgram(programs, { categories: ["101", "103"], when: ["morning"] })?.id).toBe("focus");
    expect(suggestedProgram(programs, { categories: ["103", "101"], nights: ["slowly"] })?.id).toBe("sleep");
  });

  it("is the first on a tie, and null without a match", () => {
    expect(suggestedProgram(programs, { categories: ["103", "101"] })?.id).toBe("sleep");
    expect(suggestedProgram(programs, { categories: ["105"], nights: [] })).toBeNull();
    expect(suggestedProgram([], { categories: ["101"] })).toBeNull();
  });

  it("has each reason once, for given answers only", () => {
    expect(reasonsFor(sleep, { categories: ["101"], when: ["evening"] })).toEqual(["Sleep is hard"]);
    expect(reasonsFor(focus, { categories: ["103"], when: ["morning"] })).toEqual(["You drift"]);
  });
});
