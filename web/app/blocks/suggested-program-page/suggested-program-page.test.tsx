// @vitest-environment jsdom
import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { invalidateSurvey } from "~/features/survey/survey";
import DynamicProgramContent from "../dynamic-program-content/dynamic-program-content";
import { renderBlock } from "../family-tests/test-harness";
import SuggestedProgramPage from "./suggested-program-page";

const sent = vi.fn();

function serve(answers: Record<string, string[]> | null, program: string | null = null) {
  const survey = answers && { orderid: "svo_1", flow: 0, variant: 15, abgroup: null, answers, program };
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit) => {
    if (path === "/api/survey") return Response.json({ survey });
    sent(JSON.parse(String(body)));
    return new Response(null, { status: 204 });
  });
}

beforeEach(() => invalidateSurvey());
afterEach(() => {
  cleanup();
  sent.mockReset();
  vi.unstubAllGlobals();
});

describe("the suggested programme", () => {
  it("follows the answers, gives the reasons, and is saved once", async () => {
    serve({ categories: ["103"], when: ["morning"] });
    renderBlock(SuggestedProgramPage, { id: "suggested" });
    await screen.findByRole("heading", { level: 1, name: "Ten mornings of one thing at a time" });
    expect(screen.getByText("Your attention wanders.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Change my answers" }).getAttribute("href")).toBe(
      "/en/survey/?variant=15&orderid=svo_1",
    );
    await waitFor(() => expect(sent).toHaveBeenCalledWith({ orderid: "svo_1", program: "focus" }));
    expect(sent).toHaveBeenCalledTimes(1);
  });

  it("is not saved again", async () => {
    serve({ categories: ["103"] }, "focus");
    renderBlock(SuggestedProgramPage, { id: "suggested" });
    await screen.findByRole("heading", { level: 1, name: "Ten mornings of one thing at a time" });
    expect(sent).not.toHaveBeenCalled();
  });

  it("is the page's own without a survey or a match", async () => {
    serve({ categories: ["102"] });
    renderBlock(SuggestedProgramPage, { id: "suggested" });
    await screen.findByRole("link", { name: "Change my answers" });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Fourteen evenings towards sleep");
    expect(sent).not.toHaveBeenCalled();
  });
});

describe("the programme's own page", () => {
  it("shows the days of the suggestion", async () => {
    serve({ categories: ["103"] }, "focus");
    renderBlock(DynamicProgramContent, { id: "programme-content" });
    await screen.findByRole("heading", { level: 1, name: "Your ten mornings" });
    expect(screen.getByRole("heading", { level: 2, name: "Choose" })).toBeTruthy();
  });

  it("shows its own days otherwise", async () => {
    serve(null);
    renderBlock(DynamicProgramContent, { id: "programme-content" });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("What is in your programme");
    expect(screen.getByRole("heading", { level: 2, name: "Sit down" })).toBeTruthy();
  });
});
