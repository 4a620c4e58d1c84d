/** Server-sent events in the response to a POST, which `EventSource` does not support. */

export interface StreamEvent {
  id: string | null;
  name: string;
  data: string;
}

/** Parses events from text chunks of any size. */
export class EventParser {
  #rest = "";
  #lastId: string | null = null;

  push(text: string): StreamEvent[] {
    // A trailing carriage return may be half of a line break.
    const whole = this.#rest + text;
    const pendingReturn = whole.endsWith("\r") ? "\r" : "";
    const lines = whole.slice(0, whole.length - pendingReturn.length).replace(/\r\n?/g, "\n");
    const end = lines.lastIndexOf("\n\n");
    if (end < 0) {
      this.#rest = lines + pendingReturn;
      return [];
    }
    this.#rest = lines.slice(end + 2) + pendingReturn;
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
  /** The same idempotency key for every attempt: the server resumes its answer. */
  key: string;
}

interface Reading {
  onEvent: (event: StreamEvent) => void;
  /** The connection was lost and is being resumed. */
  onCut?: () => void;
  signal: AbortSignal;
}

/** Attempts in a row without a new event. */
const ATTEMPTS = 6;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 8_000;

/** The server ended the stream with an error. */
export class StreamFault extends Error {
  override name = "StreamFault";
  readonly code: string;

  constructor(code: string) {
    super(`The stream ended with ${code}`);
    this.code = code;
  }
}

/** The connection was cut: the same request can be retried. */
class StreamCut extends Error {
  override name = "StreamCut";
  readonly waitMs: number;

  constructor(why: string, waitMs = 0) {
    super(why);
    this.waitMs = waitMs;
  }
}

/**
 * Reads an event stream to its end: the event `done`, or `failed` as a fault. A cut is resumed without repeating an
 * event: before the first event by a retry, later by `last-event-id`, if the server numbers its events. A server
 * without event ids ends its answer by closing.
 */
export async function readEventStream(source: Source, { onEvent, onCut, signal }: Reading): Promise<void> {
  let lastId: string | null = null;
  let hasBegun = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      for await (const event of open(source, lastId, signal)) {
        if (event.name === "done") return;
        if (event.name === "failed") throw new StreamFault(codeOf(event.data));
        hasBegun = true;
        lastId = event.id ?? lastId;
        attempt = 1;
        onEvent(event);
      }
      if (hasBegun && lastId === null) return;
      throw new StreamCut("The stream ended before its end");
    } catch (fault) {
      const canGoOn = !hasBegun || lastId !== null;
      if (signal.aborted || fault instanceof StreamFault || !canGoOn || attempt >= ATTEMPTS) throw fault;
      onCut?.();
      await pause(waitBefore(attempt, fault), signal);
    }
  }
}

async function* open(
  { path, body, key }: Source,
  lastId: string | null,
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
  if (!response.ok || !response.body) throw await refusal(response);
  const parser = new EventParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield* parser.push(value);
  }
}

/** 429 and 502 to 504 are retried; any other status is an answer. */
async function refusal(response: Response): Promise<Error> {
  const { status, headers } = response;
  if (![429, 502, 503, 504].includes(status)) return new StreamFault(codeOf(await response.text()) || `HTTP_${status}`);
  return new StreamCut(`HTTP ${status}`, Number(headers.get("retry-after") ?? 0) * 1_000);
}

/** The code of a problem or a `failed` event. */
function codeOf(text: string): string {
  try {
    const { code } = JSON.parse(text) as { code?: unknown };
    return typeof code === "string" ? code : "";
  } catch {
    return "";
  }
}

/** A second, then exponential with jitter. */
function waitBefore(attempt: number, fault: unknown): number {
  const requestedMs = fault instanceof StreamCut ? fault.waitMs : 0;
  const jitter = attempt === 1 ? 1 : 0.5 + Math.random() / 2;
  const doubled = FIRST_WAIT_MS * 2 ** (attempt - 1) * jitter;
  return Math.min(Math.max(doubled, requestedMs), LONGEST_WAIT_MS);
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
