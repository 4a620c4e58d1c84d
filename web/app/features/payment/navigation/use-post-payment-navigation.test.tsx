// @vitest-environment jsdom
import { cleanup, render } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fetchTherapyToken, grantTemporaryPremium } from "./api";
import type { Destination } from "./destination";
import { usePostPaymentNavigation } from "./use-post-payment-navigation";

vi.mock("./api", () => ({ grantTemporaryPremium: vi.fn(), fetchTherapyToken: vi.fn() }));

const ELSEWHERE = "https://soul.example/welcome";
const THERAPY = "https://therapy.example/en/therapy/";
const here = window.location;
const assign = vi.fn();

let follow: (destination: Destination) => Promise<void> = async () => undefined;

function Page() {
  follow = usePostPaymentNavigation();
  return null;
}

function begin() {
  const router = createMemoryRouter([{ path: "*", element: <Page /> }], { initialEntries: ["/en/payment/monthly/"] });
  render(<RouterProvider router={router} />);
  return router;
}

describe("after a payment", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    assign.mockClear();
    const get = (mocks: Record<string, unknown>, name: string) => mocks[name] ?? Reflect.get(here, name);
    vi.stubGlobal("location", new Proxy({ assign }, { get }));
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("navigates to our own page inside the app", async () => {
    const router = begin();
    await follow({ kind: "page", url: "/en/success-page/" });
    expect(router.state.location.pathname).toBe("/en/success-page/");
    expect(assign).not.toHaveBeenCalled();
  });

  it("leaves 100 ms after premium was granted, not before", async () => {
    const granting = Promise.withResolvers<string | null>();
    vi.mocked(grantTemporaryPremium).mockReturnValueOnce(granting.promise);
    begin();
    const gone = follow({ kind: "grantThenRedirect", requestedUrl: ELSEWHERE, fallbackUrl: "/en/success-page/" });
    await vi.advanceTimersByTimeAsync(1000);
    expect(grantTemporaryPremium).toHaveBeenCalledWith("en", ELSEWHERE);
    granting.resolve(ELSEWHERE);
    await vi.advanceTimersByTimeAsync(99);
    expect(assign).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await gone;
    expect(assign).toHaveBeenCalledExactlyOnceWith(ELSEWHERE);
  });

  it("stays on this site when the URL is not allowed", async () => {
    vi.mocked(grantTemporaryPremium).mockResolvedValueOnce(null);
    const router = begin();
    await follow({
      kind: "grantThenRedirect",
      requestedUrl: "https://evil.example/",
      fallbackUrl: "/en/success-page/",
    });
    expect(router.state.location.pathname).toBe("/en/success-page/");
    expect(assign).not.toHaveBeenCalled();
  });

  it("opens the therapy app with a token, or without one when none is issued", async () => {
    begin();
    vi.mocked(fetchTherapyToken).mockResolvedValueOnce("once");
    await follow({ kind: "therapyHandoff", url: THERAPY });
    expect(assign.mock.calls[0]?.[0]).toMatch(/^https:\/\/therapy\.example\/en\/therapy\/.*once/);
    vi.mocked(fetchTherapyToken).mockResolvedValueOnce(null);
    await follow({ kind: "therapyHandoff", url: THERAPY });
    expect(assign).toHaveBeenLastCalledWith(THERAPY);
  });
});
