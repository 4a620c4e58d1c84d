/** Server-sent events as an answer to a POST: `EventSource` can only GET. */

export interface StreamEvent {
  id: string | null;
  name: string;
  data: string;
}

/** Reads events out of text that arrives in pieces, wherever it is cut. */
export class EventParser {
  #rest = "";
  #lastId: string | null = null;

  get lastId(): string | null {
    return this.#lastId;
  }

  push(text: string): StreamEvent[] {
    // A carriage return at the very end may be half of a line break.
    const whole = this.#rest + text;
    const held = whole.endsWith("\r") ? "\r" : "";
    const lines = whole.slice(0, whole.length - held.length).replace(/\r\n?/g, "\n");
    const end = lines.lastIndexOf("\n\n");
    if (end < 0) {
      this.#rest = lines + held;
      return [];
    }
    this.#rest = lines.slice(end + 2) + held;
    return lines
      .slice(0, end)
      .split("\n\n")
      .flatMap((block) => this.#read(block));
  }

  #read(block: string): StreamEvent[] {
    const data: string[] = [];
    let name = "message";
    for (const line of block.split("\n")) {
      const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
      if (field === "data") data.push(value);
      else if (field === "event") name = value;
      else if (field === "id") this.#lastId = value;
    }
    return data.length > 0 ? [{ id: this.#lastId, name, data: data.join("\n") }] : [];
  }
}

interface Source {
  path: string;
  body: unknown;
  /** The same for every attempt: the server goes on with the answer it began. */
  key: string;
}

interface Reading {
  onData: (data: string) => void;
  signal: AbortSignal;
}

const RETRY_AFTER_MS = 1_000;
const ATTEMPTS = 5;

export class StreamFault extends Error {
  override name = "StreamFault";
  readonly status: number;

  constructor(status: number) {
    super(`The stream was refused with ${status}`);
    this.status = status;
  }
}

/**
 * Reads an event stream to its end. A cut is mended where it can be without saying anything twice: before the first piece by asking
 * again, later only where the server numbers its events and so can go on after the last one.
 */
export async function readEventStream(source: Source, { onData, signal }: Reading): Promise<void> {
  let lastId: string | null = null;
  let hasBegun = false;
  for (let attempt = 1; ; attempt += 1) {
    const parser = new EventParser();
    try {
      for await (const event of open(source, lastId, parser, signal)) {
        if (event.name === "done") return;
        if (event.name === "error") throw new StreamFault(502);
        hasBegun = true;
        lastId = event.id;
        onData(event.data);
      }
      return;
    } catch (fault) {
      const canGoOn = !hasBegun || lastId !== null;
      if (signal.aborted || fault instanceof StreamFault || !canGoOn || attempt >= ATTEMPTS) throw fault;
      await pause(RETRY_AFTER_MS, signal);
    }
  }
}

async function* open(
  { path, body, key }: Source,
  lastId: string | null,
  parser: EventParser,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent> {
  const response = await fetch(path, {
    method: "POST",
    headers: {
      accept: "text/event-stream",
      "content-type": "application/json",
      "idempotency-key": key,
      ...(lastId === null ? {} : { "last-event-id": lastId }),
    },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok || !response.body) throw refusal(response.status);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield* parser.push(value);
  }
}

/** Too busy or restarting is a reason to ask again, anything else is an answer. */
function refusal(status: number): Error {
  return status === 502 || status === 503 || status === 504 ? new Error(`HTTP ${status}`) : new StreamFault(status);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
