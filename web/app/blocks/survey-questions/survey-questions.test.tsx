// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { act } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { invalidateSurvey } from "~/features/survey/survey";
import { renderBlock } from "../family-tests/test-harness";
import SurveyQuestions from "./survey-questions";

const URL = "/en/survey/?categories=102&flow=0&variant=15&nextPage=%2Fcreating-program";

interface Server {
  survey: unknown;
  saved: Record<string, unknown>[];
  orders: number;
  fails: number | null;
}

/** Stores what it is sent, as the gateway does. */
function serve(survey: unknown = null): Server {
  const server: Server = { survey, saved: [], orders: 0, fails: null };
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
    if (path === "/api/survey") return Response.json({ survey: server.survey });
    if (path === "/api/survey/orders") {
      server.orders += 1;
      return Response.json({ orderid: `svo_new${server.orders}` }, { status: 201 });
    }
    expect([method, path]).toEqual(["PUT", "/api/survey/answers"]);
    const sent = JSON.parse(String(body));
    if (server.fails) return Response.json({ code: "X" }, { status: server.fails });
    server.saved.push(sent);
    return new Response(null, { status: 204 });
  });
  return server;
}

const begun = (answers: Record<string, string[]> = {}) => ({
  orderid: "svo_1",
  flow: 0,
  variant: 15,
  abgroup: null,
  answers,
  program: null,
});
const show = (url = URL) => renderBlock(SurveyQuestions, { id: "survey-questions", url });
const title = async (text: string) => await screen.findByRole("heading", { level: 1, name: text });
const press = (role: string, name: string | RegExp) => fireEvent.click(screen.getByRole(role, { name }));

beforeEach(() => {
  invalidateSurvey();
  localStorage.setItem("LAST_SURVEY_DATA", JSON.stringify({ variant: 15, orderid: "svo_1" }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe("the survey", () => {
  it("is introduced without a question in the URL, with all questions in one form for browsers without scripts", () => {
    const { container } = show("/en/survey/");
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Find the programme that fits");
    expect(screen.getByRole("link", { name: "Begin" }).getAttribute("href")).toBe("/en/survey/start/");
    const form = container.querySelector("form");
    expect(form?.getAttribute("action")).toBe("/api/survey/answers");
    expect(form?.querySelectorAll("fieldset > legend").length).toBe(3);
    expect(form?.querySelector<HTMLInputElement>("[name='nextPage']")?.value).toBe("/creating-program");
    expect(form?.querySelectorAll("input[type='checkbox'][name='q.when']").length).toBe(3);
  });

  it("goes through the questions, saves each answer, and ends at the next page", async () => {
    const server = serve(begun());
    const { router } = show();
    await title("How do you fall asleep?");
    expect(screen.getByRole("progressbar", { name: "Question 1 of 3" })).toBeTruthy();
    press("radio", "After a long while");
    press("button", "Continue");

    const second = await title("When is there room for it?");
    await waitFor(() => expect(document.activeElement).toBe(second));
    for (const name of ["In the evening", "In the morning", "At noon"]) press("checkbox", name);
    expect(screen.getByRole("checkbox", { name: "At noon", checked: false })).toBeTruthy();
    press("button", "Continue");
    await title("How much voice do you like?");
    press("radio", "A bell is enough");
    press("button", "See my suggestion");
    await waitFor(() => expect(router.state.location.pathname).toBe("/en/creating-program/"));
    expect(router.state.location.search).toBe("?orderid=svo_1");
    expect(server.saved.at(-1)).toEqual({
      orderid: "svo_1",
      answers: { categories: ["102"], nights: ["slowly"], when: ["evening", "morning"], voice: ["little"] },
    });
    expect(server.orders).toBe(0);
    expect(JSON.stringify({ ...localStorage })).not.toContain("slowly");
  });

  it("navigates once per answer, also from a URL without a question", async () => {
    serve(begun());
    const { container, router } = show();
    await title("How do you fall asleep?");
    // Pages load asynchronously, so a navigation takes time.
    const navigate = router.navigate.bind(router);
    const navigations: Promise<void>[] = [];
    const later = async (...to: Parameters<typeof navigate>) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await navigate(...to);
    };
    vi.spyOn(router, "navigate").mockImplementation((...to: Parameters<typeof navigate>) => {
      const ended = later(...to);
      navigations.push(ended);
      return ended;
    });
    const seen = ["How do you fall asleep?"];
    const watch = new MutationObserver(() => {
      const now = container.querySelector("h1")?.textContent ?? "";
      if (now !== seen.at(-1)) seen.push(now);
    });
    watch.observe(container, { childList: true, subtree: true, characterData: true });
    press("radio", "Easily");
    press("button", "Continue");
    await title("When is there room for it?");
    await act(() => Promise.all(navigations));
    watch.disconnect();
    expect(seen).toEqual(["How do you fall asleep?", "When is there room for it?"]);
  });

  it("asks the questions of the chosen categories", async () => {
    serve(begun());
    show("/en/survey/?categories=103&flow=0&variant=15&nextPage=%2Fcreating-program");
    await title("When is there room for it?");
    expect(screen.getByRole("progressbar", { name: "Question 1 of 2" })).toBeTruthy();
  });

  it("resumes at the first open question of the order in the URL", async () => {
    serve(begun({ categories: ["102"], nights: ["easily"] }));
    show("/en/survey/?variant=15&orderid=svo_1");
    await title("When is there room for it?");
    press("button", "Back");
    await title("How do you fall asleep?");
    expect(screen.getByRole("radio", { name: "Easily", checked: true })).toBeTruthy();
  });

  it("supports the browser's back button", async () => {
    serve(begun());
    const { router } = show();
    await title("How do you fall asleep?");
    press("button", "Skip this question");
    await title("When is there room for it?");
    await act(() => router.navigate(-1));
    await title("How do you fall asleep?");
  });

  it("keeps the question and shows a failed save", async () => {
    const server = serve(begun());
    show();
    await title("How do you fall asleep?");
    server.fails = 503;
    press("radio", "Easily");
    press("button", "Continue");
    expect(await screen.findByRole("alert")).toBeTruthy();
    expect(screen.getByRole("radio", { name: "Easily", checked: true })).toBeTruthy();
    server.fails = null;
    press("button", "Continue");
    await title("When is there room for it?");
    expect(server.saved.length).toBe(1);
  });

  it("opens an order when there was none", async () => {
    localStorage.clear();
    const server = serve();
    show();
    await title("How do you fall asleep?");
    press("radio", "Easily");
    press("button", "Continue");
    await title("When is there room for it?");
    expect(server.orders).toBe(1);
    expect(server.saved[0]).toMatchObject({ orderid: "svo_new1", answers: { nights: ["easily"] } });
  });

  it("adopts nothing from another survey", async () => {
    serve({ ...begun({ nights: ["easily"] }), orderid: "svo_other" });
    show();
    await title("How do you fall asleep?");
    expect(screen.queryByRole("radio", { checked: true })).toBeNull();
  });
});
