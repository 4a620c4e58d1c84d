import { describe, expect, it } from "vitest";
import { kindsOf, sourceOf } from "./chunks";

describe("the source of a block", () => {
  it.each([
    ["Hero", "app/blocks/hero/hero.tsx"],
    ["FeatureCards", "app/blocks/feature-cards/feature-cards.tsx"],
    ["B2bBookADemo", "app/blocks/b2b-book-a-demo/b2b-book-a-demo.tsx"],
  ])("%s is %s", (kind, source) => {
    expect(sourceOf(kind)).toBe(source);
  });
});

describe("the kinds of a page", () => {
  it("include nested and background blocks, each once", () => {
    const sections = [
      { __typename: "Hero", sections: [{ __typename: "Picture" }], backgroundSection: { __typename: "VideoPlayer" } },
      { __typename: "Picture" },
      { __typename: "LandingHero", sections: [], backgroundSection: null },
    ];
    expect(kindsOf(sections)).toEqual(["Hero", "Picture", "VideoPlayer", "LandingHero"]);
  });
});
