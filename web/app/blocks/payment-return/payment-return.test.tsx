// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Destination } from "~/features/payment/navigation/destination";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { persistOpenPayment } from "~/lib/payment/open-payment";
import { MARK_FAILURE_SCRIPT } from "~/lib/payment/payment-return";
import { awaitSignIn, setSession } from "~/lib/session/session";
import PaymentReturn from "./payment-return";

const gone = vi.fn<(destination: Destination) => Promise<void>>(async () => undefined);
vi.mock("~/features/payment/navigation/use-post-payment-navigation", () => ({ usePostPaymentNavigation: () => gone }));

function page(query: string) {
  const block = {
    __typename: "PaymentReturn" as const,
    id: "return",
    checkingTitle: null,
    successTitle: "Thank you",
    successText: null,
    failureTitle: "That did not work",
    failureText: "Nothing was charged.",
    action: null,
  };
  const router = createMemoryRouter([{ path: "*", element: <PaymentReturn block={block} /> }], {
    initialEntries: [`/en/payment-return/${query}`],
  });
  return (
    <TextsProvider locale={"en"} catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>
  );
}

const show = (query: string) => render(page(query));

describe("a return from a payment provider", () => {
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    sessionStorage.clear();
    gone.mockClear();
    vi.unstubAllGlobals();
  });

  const answering = (answer: () => Promise<Response>) => vi.stubGlobal("fetch", vi.fn(answer));
  const platronReplies = (state: string | null) => async () =>
    Response.json({ status: state === "paid", data: state && { state }, code: null, message: null });
  const never = () => new Promise<Response>(() => undefined);

  it.each([
    ["there is no response", never, "Looking at your payment"],
    ["it is paid", platronReplies("paid"), "Thank you"],
    ["our server has no such payment", platronReplies(null), "We see no payment here"],
    ["the bank has not decided", platronReplies("open"), "Your bank is still thinking"],
    ["it has failed", platronReplies("expired"), "That did not work"],
  ])("of a payment captured according to the URL, where %s", async (_, answer, heading) => {
    answering(answer);
    show("?pg_captured=1&pg_payment_id=7");
    if (heading !== "Thank you") expect(screen.queryByRole("heading", { name: "Thank you" })).toBeNull();
    expect(await screen.findByRole("heading", { name: heading })).toBeTruthy();
    expect(screen.getAllByRole("heading")).toHaveLength(1);
  });

  it("carries the script that hides the header before the first paint of a failure", () => {
    expect(renderToString(page("?pg_failure_code=101"))).toContain(`<script>${MARK_FAILURE_SCRIPT}</script>`);
  });

  it.each([
    ["there is no response", never, "Looking at your payment", null],
    ["our server has no such payment", platronReplies(null), "We see no payment here", null],
    ["it can be retried", platronReplies("open"), "That did not work", "Please try again or use another card."],
    ["it has failed", platronReplies("expired"), "That did not work", "Nothing was charged."],
  ])("of a payment failed according to the URL, where %s, claims only that", async (_, answer, heading, text) => {
    setSession({ state: "visitor" });
    awaitSignIn(Promise.resolve());
    answering(answer);
    show("?pg_failure_code=101&pg_payment_id=7");
    expect(screen.queryByRole("heading", { name: "That did not work" })).toBeNull();
    expect(document.documentElement.hasAttribute("data-unpaid")).toBe(true);
    expect(await screen.findByRole("heading", { name: heading })).toBeTruthy();
    if (text) expect(screen.getByText(text)).toBeTruthy();
    expect(screen.queryByText("Nothing was charged.") !== null).toBe(text === "Nothing was charged.");
    expect(document.documentElement.hasAttribute("data-unpaid")).toBe(true);
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.queryByRole("link")).toBeNull();
    setSession({ state: "unknown" });
  });

  it.each(["?pg_captured=1&pg_payment_id=7", "?pg_failure_code=101&pg_payment_id=7"])(
    "of %s claims nothing while our server does not respond, and shows what it then says",
    async (query) => {
      vi.useFakeTimers({ shouldAdvanceTime: true });
      let answer = async () => new Response("", { status: 503 });
      answering(() => answer());
      show(query);
      expect(await screen.findByText(/could not reach our server/)).toBeTruthy();
      expect(screen.getByRole("heading").textContent).toBe("Looking at your payment");
      answer = platronReplies("paid");
      await act(() => vi.advanceTimersByTimeAsync(60_000));
      expect(await screen.findByRole("heading", { name: "Thank you" })).toBeTruthy();
    },
  );

  it("shows a payment that is paid after a failure in the URL", async () => {
    answering(platronReplies("paid"));
    show("?pg_failure_code=101&pg_payment_id=7");
    expect(await screen.findByRole("heading", { name: "Thank you" })).toBeTruthy();
    expect(document.documentElement.hasAttribute("data-unpaid")).toBe(false);
  });

  it("requests a new payment page once", async () => {
    const user = {
      user_id: "usr_1",
      fullName: "Ada",
      email: "a@example.org",
      isCoachingUser: false,
      isTherapyUser: false,
    };
    setSession({ state: "member", user });
    awaitSignIn(Promise.resolve());
    const url = "https://www.platron.ru/payment_params.php?customer=1";
    const replies: Record<string, object> = {
      "/api/auth/session": { logged_in: true, user },
      "/api/web-campaign": { status: true, data: { providers: { platron: { price_id: "prc_1", redirect_url: url } } } },
    };
    // Platron has answered, and the page shows it, before the campaign is loaded.
    const fetched = vi.fn(async (path: string) => {
      if (path === "/api/web-campaign") await new Promise((resolve) => setTimeout(resolve, 200));
      return Response.json(replies[path] ?? { status: false, data: { state: "open" } });
    });
    vi.stubGlobal("fetch", fetched);
    show("?pg_failure_code=101&pg_payment_id=7&campaign=web-monthly");
    expect((await screen.findByRole("link")).getAttribute("href")).toBe(url);
    const asked = fetched.mock.calls.filter(([path]) => path.startsWith("/api/web-campaign"));
    expect(asked).toHaveLength(1);
    setSession({ state: "unknown" });
  });

  it("shows no payment to a visitor without one", async () => {
    setSession({ state: "visitor" });
    awaitSignIn(Promise.resolve());
    answering(never);
    show("?paymentMethod=yookassa");
    expect(await screen.findByRole("heading", { name: "We see no payment here" })).toBeTruthy();
    setSession({ state: "unknown" });
  });

  it.each(["?pg_captured=true", "?pg_captured=0", ""])("with %j claims nothing and sends no request", async (query) => {
    const asked = vi.fn(never);
    vi.stubGlobal("fetch", asked);
    show(query);
    expect(await screen.findByRole("heading", { name: "We see no payment here" })).toBeTruthy();
    expect(asked).not.toHaveBeenCalled();
  });

  it("passes exactly what the provider said to our server, and continues where the query says", async () => {
    const asked = vi.fn(async (_path: string) =>
      Response.json({ status: true, data: { state: "paid" }, code: null, message: null }),
    );
    vi.stubGlobal("fetch", asked);
    const query =
      "?pg_captured=1&campaign=web-monthly&user_id=usr_1&orderId=svo_1&specialProgram=true&redirectPage=%2Fen%2Fcoach%2F&code=X&pg_payment_id=none";
    show(query);
    const link = await screen.findByRole("link", { name: "Continue" });
    expect(link.getAttribute("href")).toBe("/en/success-page-premium/?redirectPage=%2Fen%2Fcoach%2F");
    const paths = asked.mock.calls.map(([path]) => path).filter((path) => path.startsWith("/api/platron"));
    expect(paths).toEqual([`/api/platron/transaction/success${query}`]);
  });

  it("claims nothing when nothing is known", () => {
    show("");
    expect(screen.queryByRole("heading", { name: "Thank you" })).toBeNull();
    expect(screen.queryByRole("heading", { name: "That did not work" })).toBeNull();
    expect(screen.getByRole("heading")).toBeTruthy();
  });

  const open = { campaign: "web-monthly", couponCode: null, next: "/en/success/", isCoaching: false };

  it("continues where the payment page would have led", async () => {
    answering(platronReplies("paid"));
    persistOpenPayment(open);
    show("?pg_captured=1&pg_payment_id=7");
    expect((await screen.findByRole("link", { name: "Continue" })).getAttribute("href")).toBe("/en/success/");
  });

  it.each([
    { kind: "therapyHandoff", url: "https://therapy.example/en/therapy/" },
    { kind: "grantThenRedirect", requestedUrl: "https://soul.example/in", fallbackUrl: "/en/success-page/" },
  ] as const)("continues as the payment page would have, by $kind", async (action) => {
    answering(platronReplies("paid"));
    persistOpenPayment({ ...open, action });
    show("?pg_captured=1&pg_payment_id=7");
    const button = await screen.findByRole("button", { name: "Continue" });
    fireEvent.click(button);
    fireEvent.click(button);
    await waitFor(() => expect(gone.mock.calls).toEqual([[action]]));
    expect(button.getAttribute("aria-busy")).toBe("true");
  });
});
