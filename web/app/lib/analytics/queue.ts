import { uuid } from "../random";

/** Pushes web events to the gateway in batches, also when the page is unloaded. */

export type Fields = Record<string, string | number | boolean>;

export interface WebEvent {
  id: string;
  name: string;
  fields: Record<string, string>;
  occurred_at: string;
}

type Send = (events: WebEvent[]) => void;

export const BATCH_LIMIT = 20;
const FLUSH_AFTER_MS = 2_000;
const NAME_LIMIT = 64;
const VALUE_LIMIT = 1_024;

declare global {
  interface Window {
    dataLayer?: Record<string, unknown>[];
  }
}

export class Queue {
  #waiting: WebEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  push(name: string, fields: Fields): void {
    const occurred_at = new Date().toISOString();
    this.#waiting.push({ id: uuid(), name: streamName(name), fields: asText(fields), occurred_at });
    if (this.#waiting.length >= BATCH_LIMIT) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), FLUSH_AFTER_MS);
  }

  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const batch = this.#waiting.splice(0);
    if (batch.length > 0) this.#send(batch);
  }
}

/** A valid event name: one invalid event would reject its whole batch, and names come from content too. */
function streamName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9_-]+/g, "_");
  return plain.slice(0, NAME_LIMIT) || "unnamed";
}

function asText(fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value).slice(0, VALUE_LIMIT)]));
}

export function sendToGateway(events: WebEvent[]): void {
  report("/api/analytics/events", { events });
}

/** `keepalive` lets a report outlive the page. A lost report is not retried. */
export function report(path: string, body: object): void {
  void fetch(path, {
    method: "POST",
    keepalive: true,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => undefined);
}
