// @vitest-environment jsdom
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { awaitSignIn, setSession } from "~/lib/session/session";
import { renderBlock, stubBrowser } from "../family-tests/test-harness";
import AlmostDonePage from "./almost-done-page";

const THANKS = "Almost done";
const ORDER = "mdOrderId";

const show = (query: string) => renderBlock(AlmostDonePage, { id: "almost-done", url: `/en/almost-done/${query}` });
const headings = () => screen.getAllByRole("heading").map(({ textContent }) => textContent);

/** What the provider says of the payment; its order is reported to another path. */
function answering(state: () => string | null) {
  const asked = vi.fn(async (path: string) =>
    path.startsWith("/api/platron")
      ? Response.json({ status: state() === "paid", data: state() && { state: state() }, code: null, message: null })
      : Response.json({}),
  );
  vi.stubGlobal("fetch", asked);
  return () => asked.mock.calls.filter(([path]) => path === "/specialprogram/payment");
}

describe("the page that follows a payment", () => {
  beforeEach(() => {
    stubBrowser();
    setSession({ state: "visitor" });
    awaitSignIn(Promise.resolve());
    localStorage.setItem(ORDER, `svo_${Math.random()}`);
  });
  afterEach(() => {
    cleanup();
    setSession({ state: "unknown" });
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    localStorage.clear();
  });

  it("thanks, and reports the order as paid once", async () => {
    const reported = answering(() => null);
    show("");
    expect(headings()).toEqual([THANKS]);
    await waitFor(() => expect(localStorage.getItem(ORDER)).toBeNull());
    cleanup();
    show("");
    expect(reported()).toHaveLength(1);
  });

  it("shows no thanks without a payment, and claims no charge", async () => {
    const reported = answering(() => null);
    const { container } = show("?pg_failure_code=101");
    await waitFor(() => expect(headings()).toEqual(["We see no payment here"]));
    expect(container.textContent).not.toContain("not been charged");
    expect(reported()).toEqual([]);
    expect(localStorage.getItem(ORDER)).not.toBeNull();
  });

  it("shows thanks only after the payment is confirmed", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let state = "open";
    answering(() => state);
    show("?pg_captured=1&pg_payment_id=7");
    await waitFor(() => expect(headings()).toEqual(["Your bank is still thinking"]));
    state = "paid";
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    await waitFor(() => expect(headings()).toEqual([THANKS]));
  });
});
