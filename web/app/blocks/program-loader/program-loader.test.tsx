// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderBlock } from "../family-tests/test-harness";
import ProgramLoader from "./program-loader";

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const progress = () => screen.getByRole("progressbar").getAttribute("aria-valuenow");
const message = () => screen.getByRole("status").textContent;

describe("the loader", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0.5);
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("advances by one message's share every four seconds", async () => {
    renderBlock(ProgramLoader, { id: "loader" });
    expect(progress()).toBe("0");
    await pass(3_999);
    expect(progress()).toBe("0");
    await pass(1);
    expect(progress()).toBe("25");
  });

  it("shows each message for three seconds", async () => {
    renderBlock(ProgramLoader, { id: "loader" });
    expect(message()).toBe("Reading your answers");
    await pass(2_999);
    expect(message()).toBe("Reading your answers");
    await pass(1);
    expect(message()).toBe("");
    await pass(1_000);
    expect(message()).toBe("Choosing the sessions");
  });

  it("animates until it is paused", () => {
    const { container } = renderBlock(ProgramLoader, { id: "loader" });
    fireEvent.click(screen.getByRole("button", { name: "Pause the animation" }));
    expect(container.querySelector("[data-paused] > .loader-breath")).not.toBeNull();
  });

  it("navigates three seconds after completion, with the order, and replaces its history entry", async () => {
    const { router } = renderBlock(ProgramLoader, {
      id: "loader",
      url: "/de/creating-program/?orderid=o1&email=a@b.example&x=1",
    });
    await pass(16_000);
    expect(progress()).toBe("100");
    await pass(2_999);
    expect(router.state.location.pathname).toBe("/de/creating-program/");
    await pass(1);
    const { pathname, search } = router.state.location;
    expect(pathname + search).toBe("/de/your-program/?orderid=o1&email=a%40b.example");
    expect(router.state.historyAction).toBe("REPLACE");
  });
});
