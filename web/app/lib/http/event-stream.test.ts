import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EventParser, readEventStream, StreamFault } from "./event-stream";

describe("chunked events", () => {
  const text = ": hello\nid: 1\ndata: Love\n\nid: 2\r\ndata:  is\r\n\r\nevent: done\ndata: .\n\n";

  it.each([1, 2, 3, 7, 100])("are the same when %i characters come at a time", (size) => {
    const parser = new EventParser();
    const events = [];
    for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)));
    expect(events).toEqual([
      { id: "1", name: "message", data: "Love" },
      { id: "2", name: "message", data: " is" },
      { id: "2", name: "done", data: "." },
    ]);
  });

  it("keep line breaks within one event", () => {
    expect(new EventParser().push("data: a\ndata: b\n\n")).toEqual([{ id: null, name: "message", data: "a\nb" }]);
  });
});

describe("a stream", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const source = { path: "/v1/external/chats/ai", body: { q: "?" }, key: "k" };

  interface Answer {
    text: string;
    /** Breaks the connection after the text. */
    cut?: boolean;
    status?: number;
    headers?: Record<string, string>;
  }

  /** One response per request; undefined: a network failure. */
  function answering(...answers: Answer[]) {
    const requests: Headers[] = [];
    vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
      requests.push(new Headers(init.headers));
      const answer = answers.shift();
      if (!answer) throw new TypeError("offline");
      const body = new ReadableStream({
        start(stream) {
          stream.enqueue(new TextEncoder().encode(answer.text));
          if (answer.cut) setTimeout(() => stream.error(new TypeError("cut")));
          else stream.close();
        },
      });
      return new Response(body, { status: answer.status ?? 200, headers: answer.headers ?? {} });
    });
    return requests;
  }

  async function read() {
    let text = "";
    let cuts = 0;
    const outcome = readEventStream(source, {
      onEvent: (event) => (text += event.data),
      onCut: () => (cuts += 1),
      signal: new AbortController().signal,
    })
      .then(() => "finished")
      .catch((fault: Error) => (fault instanceof StreamFault ? fault.code : fault.name));
    await vi.runAllTimersAsync();
    return { outcome: await outcome, text, cuts };
  }

  it("is the concatenation of its chunks", async () => {
    answering({ text: "data: Hello\n\ndata: , you\n\n" });
    expect(await read()).toEqual({ outcome: "finished", text: "Hello, you", cuts: 0 });
  });

  it("that is cut resumes after its last event, without repeating one", async () => {
    const requests = answering(
      { text: "id: 7\ndata: Hello\n\n", cut: true },
      { text: "id: 8\ndata: , you\n\nid: 9\nevent: done\ndata: {}\n\n" },
    );
    expect(await read()).toEqual({ outcome: "finished", text: "Hello, you", cuts: 1 });
    expect(requests.map((headers) => headers.get("last-event-id"))).toEqual([null, "7"]);
    expect(new Set(requests.map((headers) => headers.get("idempotency-key")))).toEqual(new Set(["k"]));
  });

  it("that numbers its events and closes without an end counts as cut", async () => {
    const requests = answering({ text: "id: 7\ndata: Hello\n\n" }, { text: "id: 8\nevent: done\ndata: {}\n\n" });
    expect(await read()).toMatchObject({ outcome: "finished", text: "Hello" });
    expect(requests).toHaveLength(2);
  });

  it("can be cut any number of times while it makes progress", async () => {
    const pieces = Array.from({ length: 20 }, (_, at) => ({ text: `id: ${at}\ndata: x\n\n`, cut: true }));
    answering(...pieces, { text: "id: 99\nevent: done\ndata: {}\n\n" });
    expect(await read()).toEqual({ outcome: "finished", text: "x".repeat(20), cuts: 20 });
  });

  it("is requested again before its first event", async () => {
    answering({ text: "", cut: true }, { text: "busy", status: 503 }, { text: "data: Hello\n\n" });
    expect(await read()).toMatchObject({ outcome: "finished", text: "Hello" });
  });

  it("that is dropped is requested again after a second", async () => {
    const asked: number[] = [];
    const answers = [new Response("busy", { status: 503 }), new Response("data: Hello\n\n")];
    vi.stubGlobal("fetch", async () => {
      asked.push(Date.now());
      return answers.shift();
    });
    expect(await read()).toMatchObject({ outcome: "finished", text: "Hello" });
    expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBe(1_000);
  });

  it("with a retry-after is not requested earlier", async () => {
    const asked: number[] = [];
    const answers = [
      new Response("", { status: 429, headers: { "retry-after": "3" } }),
      new Response("data: Hello\n\n"),
    ];
    vi.stubGlobal("fetch", async () => {
      asked.push(Date.now());
      return answers.shift();
    });
    expect(await read()).toMatchObject({ outcome: "finished", text: "Hello" });
    expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBe(3_000);
  });

  it("without event ids is not requested again after its first event", async () => {
    const requests = answering({ text: "data: Hello\n\n", cut: true }, { text: "data: Hello\n\n" });
    expect(await read()).toEqual({ outcome: "TypeError", text: "Hello", cuts: 0 });
    expect(requests).toHaveLength(1);
  });

  it("that failed is not requested again, and has its code", async () => {
    const requests = answering({
      text: 'id: 1\ndata: He\n\nid: 2\nevent: failed\ndata: {"code":"AI_INTERRUPTED"}\n\n',
    });
    expect(await read()).toMatchObject({ outcome: "AI_INTERRUPTED", text: "He" });
    expect(requests).toHaveLength(1);
  });

  it("that is refused is not requested again", async () => {
    const requests = answering({ text: '{"code":"UNKNOWN_REPLY"}', status: 404 });
    expect(await read()).toMatchObject({ outcome: "UNKNOWN_REPLY", text: "" });
    expect(requests).toHaveLength(1);
  });

  it("that never answers is given up", async () => {
    const requests = answering();
    expect(await read()).toMatchObject({ outcome: "TypeError", text: "" });
    expect(requests).toHaveLength(6);
  });
});
