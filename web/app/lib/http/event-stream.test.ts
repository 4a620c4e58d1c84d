import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EventParser, readEventStream } from "./event-stream";

describe("events in pieces", () => {
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

  /** Each answer is what one request brings; `cut` breaks the connection after it. */
  function answering(...answers: { text: string; cut?: boolean; status?: number }[]) {
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
      return new Response(body, { status: answer.status ?? 200 });
    });
    return requests;
  }

  async function read() {
    let text = "";
    const outcome = readEventStream(source, { onData: (data) => (text += data), signal: new AbortController().signal })
      .then(() => "finished")
      .catch((fault: Error) => fault.name);
    await vi.runAllTimersAsync();
    return { outcome: await outcome, text };
  }

  it("is what its pieces say together", async () => {
    answering({ text: "data: Hello\n\ndata: , you\n\n" });
    expect(await read()).toEqual({ outcome: "finished", text: "Hello, you" });
  });

  it("that is cut goes on after its last event, and says nothing twice", async () => {
    const requests = answering({ text: "id: 7\ndata: Hello\n\n", cut: true }, { text: "id: 8\ndata: , you\n\n" });
    expect(await read()).toEqual({ outcome: "finished", text: "Hello, you" });
    expect(requests.map((headers) => headers.get("last-event-id"))).toEqual([null, "7"]);
    expect(new Set(requests.map((headers) => headers.get("idempotency-key")))).toEqual(new Set(["k"]));
  });

  it("is asked for again before its first piece", async () => {
    answering({ text: "", cut: true }, { text: "busy", status: 503 }, { text: "data: Hello\n\n" });
    expect(await read()).toEqual({ outcome: "finished", text: "Hello" });
  });

  it("without numbers is never asked for again after its first piece", async () => {
    const requests = answering({ text: "data: Hello\n\n", cut: true }, { text: "data: Hello\n\n" });
    expect(await read()).toEqual({ outcome: "TypeError", text: "Hello" });
    expect(requests).toHaveLength(1);
  });

  it("that is refused is not asked for again", async () => {
    const requests = answering({ text: "", status: 404 });
    expect(await read()).toEqual({ outcome: "StreamFault", text: "" });
    expect(requests).toHaveLength(1);
  });

  it("that never comes is given up", async () => {
    const requests = answering();
    expect(await read()).toEqual({ outcome: "TypeError", text: "" });
    expect(requests).toHaveLength(5);
  });
});
