import { describe, expect, it } from "vitest";
import { positionToSave } from "./saved-position";
import { jump } from "./seek";

describe("a seek", () => {
  it.each([
    { at: 30, by: 15, to: 45 },
    { at: 30, by: -15, to: 15 },
    { at: 5, by: -15, to: 0 },
    { at: 80, by: 15, to: 90 },
  ])("of $by from $at leads to $to of 90", ({ at, by, to }) => {
    expect(jump(at, by, 90)).toBe(to);
  });

  it("has no upper limit while the duration is unknown", () => {
    expect(jump(30, 15, null)).toBe(45);
    expect(jump(5, -15, null)).toBe(0);
  });
});

describe("the saved position", () => {
  it.each([
    { at: 40.7, kept: 40 },
    { at: 3, kept: 0 },
    { at: 85, kept: 0 },
  ])("after $at of 90 seconds is $kept", ({ at, kept }) => {
    expect(positionToSave(at, 90)).toBe(kept);
  });

  it("is kept while the duration is unknown", () => {
    expect(positionToSave(40, 0)).toBe(40);
  });
});
