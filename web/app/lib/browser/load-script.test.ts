// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { scripts } from "~/features/social/fake-providers";
import { loadGlobal } from "./load-script";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("waits for a global that a script defines later", async () => {
  scripts();
  let sdk: string | undefined;
  const loaded = vi.fn();
  void loadGlobal("https://sdk.example/late.js", () => sdk).then(loaded);
  await vi.advanceTimersByTimeAsync(250);
  expect(loaded).not.toHaveBeenCalled();
  sdk = "here";
  await vi.advanceTimersByTimeAsync(100);
  expect(loaded).toHaveBeenCalledWith("here");
});

it("polls a hundred times, every 100 ms, for a global that is never defined", async () => {
  scripts();
  const read = vi.fn(() => undefined);
  const failed = vi.fn();
  loadGlobal("https://sdk.example/never.js", read).catch(failed);
  await vi.advanceTimersByTimeAsync(9_900);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect(failed).toHaveBeenCalledTimes(1);
  expect(read).toHaveBeenCalledTimes(100);
});
