// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import SurveyCategorySelection from "./survey-category-selection";

const labels = ["Sleep", "Focus", "Calm", "Love"];

function show() {
  const block = {
    __typename: "SurveyCategorySelection" as const,
    id: "choose",
    title: "What brings you here?",
    description: null,
    categories: labels.map((label, index) => ({ id: index + 101, label, icon: null })),
    flow: 0,
    variant: 15,
    productType: null,
    surveyNext: "/creating-program",
    continueLabel: "Continue",
    abGroup: "b",
  };
  const router = createMemoryRouter([{ path: "*", element: <SurveyCategorySelection block={block} /> }], {
    initialEntries: ["/en/survey/start/"],
  });
  render(
    <TextsProvider locale={"en"} catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
  return router;
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const isChosen = (name: string) => screen.getByRole("button", { name }).getAttribute("aria-pressed") === "true";

describe("choosing categories", () => {
  beforeEach(() => void vi.stubGlobal("fetch", async () => Response.json({ orderid: "o-1" }, { status: 201 })));
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    localStorage.clear();
  });

  it("accepts three, and a fourth only after one is removed", () => {
    show();
    for (const label of labels) press(label);
    expect(labels.map(isChosen)).toEqual([true, true, true, false]);
    press("Focus");
    press("Love");
    expect(labels.map(isChosen)).toEqual([true, false, true, true]);
  });

  it("requires one", () => {
    const router = show();
    press("Continue");
    expect(router.state.location.pathname).toBe("/en/survey/start/");
    expect(screen.getByRole("button", { name: "Continue" }).getAttribute("aria-disabled")).toBe("true");
  });

  it("leads to the survey with the categories, and stores the first", async () => {
    const router = show();
    press("Calm");
    press("Sleep");
    press("Continue");
    await waitFor(() => expect(router.state.location.pathname).toBe("/en/survey/"));
    expect(router.state.location.search).toBe(
      "?categories=103,101&flow=0&variant=15&nextPage=%2Fcreating-program&abGroup=b",
    );
    expect(localStorage.getItem("surveySelectedCategory")).toBe("103");
  });

  it("begins the survey all the same where orders cannot be had, and asks for one however often it is pressed", async () => {
    let answer: (response: Response) => void = () => undefined;
    const asked = vi.fn(
      () =>
        new Promise<Response>((resolve) => {
          answer = resolve;
        }),
    );
    vi.stubGlobal("fetch", asked);
    const router = show();
    press("Sleep");
    press("Continue");
    press("Continue");
    await waitFor(() => expect(asked).toHaveBeenCalled());
    press("Continue");
    answer(Response.json({ code: "UNAVAILABLE" }, { status: 503 }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/en/survey/"));
    expect(router.state.location.search).toContain("?categories=101&");
    expect(asked).toHaveBeenCalledOnce();
    expect(localStorage.getItem("mdOrderId")).toBeNull();
  });
});
