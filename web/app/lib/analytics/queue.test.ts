import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BATCH_LIMIT, Queue, type WebEvent } from "./queue";

describe("the queue", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const started = () => {
    const batches: WebEvent[][] = [];
    return { batches, queue: new Queue((events) => batches.push(events)) };
  };

  it("sends close events in one batch", () => {
    const { batches, queue } = started();
    queue.push("signup", {});
    queue.push("purchase", { price: 12.99, is_logged_in: true });
    vi.advanceTimersByTime(2_000);
    expect(batches).toHaveLength(1);
    expect(batches[0]?.map(({ name }) => name)).toEqual(["signup", "purchase"]);
    expect(batches[0]?.[1]?.fields).toEqual({ price: "12.99", is_logged_in: "true" });
  });

  it("normalises names and values for the stream", () => {
    const { batches, queue } = started();
    queue.push("Hero CTA: try it!", { text: "x".repeat(2_000) });
    queue.push("b2b_bookademo-click", {});
    queue.push("シ".repeat(3), {});
    queue.flush();
    expect(batches[0]?.map(({ name }) => name)).toEqual(["hero_cta_try_it_", "b2b_bookademo-click", "_"]);
    expect(batches[0]?.[0]?.fields.text).toHaveLength(1_024);
  });

  it("gives every event its own UUID", () => {
    const { batches, queue } = started();
    queue.push("a", {});
    queue.push("b", {});
    queue.flush();
    const ids = batches.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("limits the size of a batch", () => {
    const { batches, queue } = started();
    for (let event = 0; event < BATCH_LIMIT; event += 1) queue.push("a", {});
    expect(batches).toHaveLength(1);
  });

  it("sends no event twice and no empty batch", () => {
    const { batches, queue } = started();
    queue.push("a", {});
    queue.flush();
    queue.flush();
    vi.advanceTimersByTime(10_000);
    expect(batches).toHaveLength(1);
  });
});
