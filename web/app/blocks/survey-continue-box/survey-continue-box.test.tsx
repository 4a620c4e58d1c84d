// @vitest-environment jsdom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { renderBlock } from "../family-tests/test-harness";
import SurveyContinueBox from "./survey-continue-box";

const href = () => screen.getByRole("link").getAttribute("href");

describe("the way back to a survey", () => {
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("goes on with the one that was begun", () => {
    localStorage.setItem("LAST_SURVEY_DATA", JSON.stringify({ variant: 79, orderid: "svo_1" }));
    renderBlock(SurveyContinueBox, { id: "survey-continue", url: "/en/survey/" });
    expect(href()).toBe("/en/survey/?variant=79&orderid=svo_1");
  });

  it.each(["{", ""])("begins a survey where %j is stored", (stored) => {
    localStorage.setItem("LAST_SURVEY_DATA", stored);
    renderBlock(SurveyContinueBox, { id: "survey-continue", url: "/ar/survey/" });
    expect(href()).toBe("/ar/survey/");
  });
});
