// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderBlock } from "../family-tests/test-harness";
import AiText from "./ai-text";

const DONE = "id: 9\nevent: done\ndata: {}\n\n";

const events = (text: string) => new Response(text, { status: 200, headers: { "content-type": "text/event-stream" } });

/** Each call is one connection, which sends text until `cut` or `close`. */
function connections() {
  const opened: { headers: Headers; body: unknown; say: (text: string) => Promise<void>; cut: () => Promise<void> }[] =
    [];
  vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream = controller;
      },
    });
    init.signal?.addEventListener("abort", () => stream?.error(new DOMException("Stopped", "AbortError")));
    const soon = (what: () => void) =>
      act(async () => {
        what();
        await vi.advanceTimersByTimeAsync(1);
      });
    opened.push({
      headers: new Headers(init.headers),
      body: JSON.parse(String(init.body)),
      say: (text) => soon(() => stream?.enqueue(new TextEncoder().encode(text))),
      cut: () => soon(() => stream?.error(new TypeError("cut"))),
    });
    return new Response(body, { status: 200 });
  });
  return opened;
}

async function ask(question: string) {
  fireEvent.change(screen.getByRole("textbox"), { target: { value: question } });
  await press("Write my text");
}

async function press(name: string) {
  await act(async () => {
    fireEvent.click(screen.getByRole("button", { name }));
    await vi.advanceTimersByTimeAsync(1);
  });
}

describe("the AI text page", () => {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("names the AI before the first word", () => {
    renderBlock(AiText, { id: "ai" });
    expect(screen.getByText(/written by an AI/)).toBeTruthy();
  });

  it("never puts a question into a URL, not even before hydration", () => {
    const { container } = renderBlock(AiText, { id: "ai" });
    expect(container.querySelector("form")?.getAttribute("method")).toBe("post");
  });

  it("sends question, language and type, and concatenates the chunks", async () => {
    const fetch = vi.fn(async () => events(`id: 1\ndata: You are\n\nid: 2\ndata:  seen.\n\n${DONE}`));
    vi.stubGlobal("fetch", fetch);
    renderBlock(AiText, { id: "ai", url: "/tr/love-language/" });
    await ask("  A walk home ");
    expect(await screen.findByText("You are seen.")).toBeTruthy();
    const [path, request] = fetch.mock.calls[0] as unknown as [string, RequestInit];
    expect(path).toBe("/v1/external/chats/ai");
    expect(JSON.parse(String(request.body))).toEqual({ q: "A walk home", lang: "tr", type: "love-language" });
    expect(await screen.findByRole("heading", { name: "Want to go on?" })).toBeTruthy();
  });

  it("has the same text after a broken connection, and shows the break", async () => {
    const opened = connections();
    renderBlock(AiText, { id: "ai" });
    await ask("A walk home");
    await opened[0]?.say("id: 1\ndata: You are\n\n");
    await opened[0]?.cut();
    expect(screen.getByText(/The connection broke/)).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(opened[1]?.headers.get("last-event-id")).toBe("1");
    await opened[1]?.say(`id: 2\ndata:  seen.\n\n${DONE}`);
    expect(screen.getByText("You are seen.")).toBeTruthy();
    expect(screen.queryByText(/The connection broke/)).toBeNull();
    expect(screen.getByRole("heading", { name: "Want to go on?" })).toBeTruthy();
  });

  it("announces its start and its end, not each word", async () => {
    const opened = connections();
    renderBlock(AiText, { id: "ai" });
    await ask("A walk home");
    expect(screen.getByRole("status").textContent).toBe("The AI is writing.");
    await opened[0]?.say("id: 1\ndata: You are seen.\n\n");
    expect(screen.getByRole("status").textContent).toBe("The AI is writing.");
    expect(screen.getByText("You are seen.").closest("[aria-live]")).toBeNull();
    await opened[0]?.say(DONE);
    expect(screen.getByRole("status").textContent).toBe("The reply is complete.");
  });

  it("stops on request, keeps the text, and accepts a new question", async () => {
    const opened = connections();
    renderBlock(AiText, { id: "ai" });
    await ask("A walk home");
    await opened[0]?.say("id: 1\ndata: You are\n\n");
    await press("Stop");
    expect(screen.getByText("You are")).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Want to go on?" })).toBeTruthy();
    await press("Ask again");
    expect(screen.queryByText("You are")).toBeNull();
    expect(opened[1]?.body).toEqual(opened[0]?.body);
    expect(opened[1]?.headers.get("idempotency-key")).not.toBe(opened[0]?.headers.get("idempotency-key"));
    expect(opened[1]?.headers.get("last-event-id")).toBeNull();
  });

  it("names helplines before any word, and keeps them", async () => {
    const opened = connections();
    renderBlock(AiText, { id: "ai" });
    await ask("I do not want to live");
    const helplines = [
      { name: "Samaritans", phone: "116 123", url: "https://www.samaritans.org" },
      { name: "Find A Helpline", phone: "", url: "https://findahelpline.com" },
    ];
    await opened[0]?.say(`id: 0\nevent: crisis\ndata: ${JSON.stringify({ helplines })}\n\n`);
    const card = screen.getByRole("alert");
    expect(screen.getByRole("link", { name: /Call 116\s123/ }).getAttribute("href")).toBe("tel:116123");
    expect(screen.getAllByRole("link", { name: /Open the website/ })).toHaveLength(2);
    const reply = screen.getByRole("region", { name: "The reply" });
    expect(card.compareDocumentPosition(reply) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    await opened[0]?.say(`id: 1\ndata: I am an AI.\n\n${DONE}`);
    expect(screen.getByRole("link", { name: /Call 116\s123/ })).toBeTruthy();
  });

  it.each([
    ["AI_INTERRUPTED", "id: 1\ndata: You are\n\n", "The connection broke here"],
    ["AI_UNAVAILABLE", "", "No reply arrived"],
    ["AI_DECLINED", "", "try other words"],
  ])("ends after %s too: logged, shown, with the bottom visible", async (code, before, said) => {
    const logged = vi.spyOn(console, "error").mockReturnValue();
    const failed = `id: 2\nevent: failed\ndata: ${JSON.stringify({ code })}\n\n`;
    vi.stubGlobal("fetch", async () => events(before + failed));
    renderBlock(AiText, { id: "ai" });
    await ask("Anybody there?");
    expect((await screen.findByRole("alert")).textContent).toContain(said);
    expect(screen.getByRole("heading", { name: "Want to go on?" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Ask again" })).toBeTruthy();
    expect(logged).toHaveBeenCalledOnce();
  });

  it("sends nothing without a question", async () => {
    const fetch = vi.fn();
    vi.stubGlobal("fetch", fetch);
    renderBlock(AiText, { id: "ai" });
    await ask("   ");
    expect(fetch).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(screen.getByRole("textbox"));
  });
});
