// @vitest-environment jsdom
import { act, renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { useReturningMember } from "./returning-member";
import { user } from "./test-harness";

it("a returning member is recognised when the session's response comes after the timeout", async () => {
  vi.useFakeTimers();
  const { promise, resolve: answer } = Promise.withResolvers<Response>();
  vi.stubGlobal("fetch", () => promise);
  const { result } = renderHook(useReturningMember);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(result.current).toBeNull();
  await act(async () => {
    answer(Response.json({ logged_in: true, user }));
    await vi.advanceTimersByTimeAsync(0);
  });
  expect(result.current).toEqual(user);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
