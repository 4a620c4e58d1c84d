/** What can be seen from outside of the browser: the event stream, and the figures for operators. */
import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { type APIRequestContext, expect } from "@playwright/test";

const natsUrl = process.env.NATS_URL ?? "nats://127.0.0.1:42220";
const operatorToken = process.env.OPERATOR_TOKEN ?? "operate";
const TIMEOUT_MS = 15_000;

export interface StillpointEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** Reads the stream as an external subscriber does: with a NATS client and JSON. */
export async function findEvent(subject: string, matches: (event: StillpointEvent) => boolean) {
  const connection = await connect({ servers: natsUrl });
  try {
    const consumer = await jetstream(connection).consumers.get("STILLPOINT", { filter_subjects: [subject] });
    const messages = await consumer.consume();
    const giveUp = setTimeout(() => messages.stop(), TIMEOUT_MS);
    try {
      for await (const message of messages) {
        const event = message.json<StillpointEvent>();
        if (matches(event)) return event;
      }
    } finally {
      clearTimeout(giveUp);
      messages.stop();
    }
    throw new Error(`no such event on ${subject} within ${TIMEOUT_MS} ms`);
  } finally {
    await connection.close();
  }
}

interface DayCount {
  day: string;
  event: string;
  count: number;
}

export async function countOf(request: APIRequestContext, event: string): Promise<number> {
  const response = await request.get("/api/analytics/summary?days=30", {
    headers: { authorization: `Bearer ${operatorToken}` },
  });
  expect(response.status()).toBe(200);
  const { counts } = (await response.json()) as { counts: DayCount[] };
  return counts.filter((count) => count.event === event).reduce((sum, { count }) => sum + count, 0);
}

export interface Subscription {
  subscription_id: string;
  order_id: string;
  product: string;
  status: string;
  price: number;
  currency: string;
  trial_days: number;
  provider: string;
}

export async function subscriptionsOf(request: APIRequestContext): Promise<Subscription[]> {
  const response = await request.get("/api/subscriptions");
  expect(response.status()).toBe(200);
  return ((await response.json()) as { subscriptions: Subscription[] }).subscriptions;
}
