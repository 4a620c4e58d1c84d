// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { stage } from "../stage";
import AiText from "./ai-text";

const events = (text: string) => new Response(text, { status: 200, headers: { "content-type": "text/event-stream" } });

async function ask(question: string) {
  fireEvent.change(screen.getByRole("textbox"), { target: { value: question } });
  await act(async () => {
    fireEvent.click(screen.getByRole("button", { name: "Write my text" }));
  });
}

describe("the AI text page", () => {
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("says who writes before the first word", () => {
    stage(AiText, { id: "ai" });
    expect(screen.getByText(/written by an AI/)).toBeTruthy();
  });

  it("sends question, language and the usual type, and adds up what comes", async () => {
    const fetch = vi.fn(async () => events("data: You are\n\ndata:  seen.\n\n"));
    vi.stubGlobal("fetch", fetch);
    stage(AiText, { id: "ai", url: "/tr/love-language/" });
    await ask("  A walk home ");
    expect(await screen.findByText("You are seen.")).toBeTruthy();
    const [path, request] = fetch.mock.calls[0] as unknown as [string, RequestInit];
    expect(path).toBe("/v1/external/chats/ai");
    expect(JSON.parse(String(request.body))).toEqual({ q: "A walk home", lang: "tr", type: "love-language" });
    expect(await screen.findByRole("heading", { name: "Want to go on?" })).toBeTruthy();
  });

  it("is finished by a failure too: logged, said honestly, with the bottom shown", async () => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    vi.stubGlobal("fetch", async () => new Response(null, { status: 404 }));
    stage(AiText, { id: "ai" });
    await ask("Anybody there?");
    expect((await screen.findByRole("alert")).textContent).toContain("No reply arrived");
    expect(screen.getByRole("heading", { name: "Want to go on?" })).toBeTruthy();
    expect(logged).toHaveBeenCalledOnce();
  });

  it("asks nothing without a question", async () => {
    const fetch = vi.fn();
    vi.stubGlobal("fetch", fetch);
    stage(AiText, { id: "ai" });
    await ask("   ");
    expect(fetch).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(screen.getByRole("textbox"));
  });
});
