import { uuid } from "../random";

/** Web events: pushed to `dataLayer` at once, sent to the gateway in batches, also when the page goes away. */

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
    this.#waiting.push({ id: uuid(), name, fields: asText(fields), occurred_at: new Date().toISOString() });
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

function asText(fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

/** `keepalive` lets the last batch leave with the page. An event that is lost is lost: never retried at a person's cost. */
export function sendToGateway(events: WebEvent[]): void {
  void fetch("/api/analytics/events", {
    method: "POST",
    keepalive: true,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ events }),
  }).catch(() => undefined);
}
