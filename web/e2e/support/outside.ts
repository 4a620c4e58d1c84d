/** What can be seen from outside of the browser: the event stream, and the figures for operators. */
import { AckPolicy, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { type APIRequestContext, expect } from "@playwright/test";

const natsUrl = new URL(process.env.NATS_URL ?? "nats://127.0.0.1:42220");
const natsUser = decodeURIComponent(natsUrl.username);
/** A reader may create consumers of these names only; each worker has one. */
const CONSUMER = `${natsUser || "reader"}-${Number(process.env.TEST_PARALLEL_INDEX ?? 0) + 1}`;
const STREAM = "STILLPOINT";
const operatorToken = process.env.OPERATOR_TOKEN ?? "operate";
const TIMEOUT_MS = 15_000;

export interface StillpointEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** Reads the stream as an external subscriber does: with a NATS client and JSON. */
export async function findEvent(subject: string, matches: (event: StillpointEvent) => boolean) {
  const connection = await connect({ servers: natsUrl.host, ...credentials() });
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    // Left by a test that was stopped.
    await manager.consumers.delete(STREAM, CONSUMER).catch(() => false);
    await manager.consumers.add(STREAM, {
      name: CONSUMER,
      filter_subject: subject,
      ack_policy: AckPolicy.None,
      mem_storage: true,
      inactive_threshold: TIMEOUT_MS * 4 * 1_000_000,
    });
    const consumer = await manager.jetstream().consumers.get(STREAM, CONSUMER);
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

/** The server permits each user its own inboxes. The client does not read credentials from an address. */
function credentials() {
  if (natsUser === "") return {};
  return { user: natsUser, pass: decodeURIComponent(natsUrl.password), inboxPrefix: `_INBOX_${natsUser}` };
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
