// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { delayAfter, pollUntil } from "./poll-until";

describe("polling until there is a result", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("polls with growing delays, at least twice a minute", () => {
    const waits = Array.from({ length: 12 }, (_, round) => delayAfter(round));
    expect(waits).toEqual([...waits].sort((one, other) => one - other));
    expect(waits.at(-1)).toBe(30_000);
  });

  it("ends with the first result", async () => {
    const ask = vi.fn(async () => (ask.mock.calls.length < 3 ? null : "paid"));
    const asking = pollUntil(ask, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(delayAfter(0) + delayAfter(1));
    expect(await asking).toBe("paid");
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it("polls at once when the tab becomes visible", async () => {
    const ask = vi.fn(async () => null);
    const stop = new AbortController();
    void pollUntil(ask, stop.signal);
    await vi.advanceTimersByTimeAsync(0);
    document.dispatchEvent(new Event("visibilitychange"));
    await vi.advanceTimersByTimeAsync(0);
    expect(ask).toHaveBeenCalledTimes(2);
    stop.abort();
  });

  it("ends without a result after an abort", async () => {
    const ask = vi.fn(async () => null);
    const stop = new AbortController();
    const asking = pollUntil(ask, stop.signal);
    await vi.advanceTimersByTimeAsync(0);
    stop.abort();
    expect(await asking).toBeNull();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
