// @vitest-environment jsdom
import { act, cleanup, render, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import { storeTokenSignIn } from "~/lib/handoff/token-sign-in-result";
import { setSession } from "~/lib/session/session";
import { useTokenNavigation } from "./use-token-navigation";

const ada = { user_id: "usr_1", fullName: "Ada", email: "a@example.com", isCoachingUser: true, isTherapyUser: false };

function Page() {
  useTokenNavigation();
  return <div data-kind={location.hash.slice(1) || undefined} />;
}

function arrive(url: string, redirectPage: string | null, pathname = "/en/survey/") {
  storeTokenSignIn({ redirectPage, pathname });
  setSession({ state: "member", user: ada });
  const router = createMemoryRouter([{ path: "*", element: <Page /> }], { initialEntries: [url] });
  render(<RouterProvider router={router} />);
  return () => router.state.location.pathname + router.state.location.search;
}

/** Effects have run, and the navigation that they started has ended. */
const navigated = () => act(() => new Promise((done) => setTimeout(done)));

afterEach(() => {
  cleanup();
  setSession({ state: "unknown" });
  location.hash = "";
});

describe("a member signed in by a token", () => {
  it("is sent to redirectPage, with the rest of the query", async () => {
    const here = arrive("/en/survey/?redirectPage=/en/payment/annual/&coupon=A", "/en/payment/annual/");
    await waitFor(() => expect(here()).toBe("/en/payment/annual/?coupon=A"));
  });

  it("is sent to the coach page by `regular`", async () => {
    const here = arrive("/en/survey/?redirectPage=regular", null);
    await waitFor(() => expect(here()).toBe("/en/coach/"));
  });

  it.each([
    ["who wanted nothing else", "/en/survey/?coupon=A", "/en/survey/"],
    ["who has gone on to another page", "/en/pricing/?redirectPage=/en/coach/", "/en/survey/"],
  ])("%s stays", async (_, url, cameTo) => {
    const here = arrive(url, null, cameTo);
    await navigated();
    expect(here()).toBe(url);
  });

  it.each([
    "PaymentForm",
    "TwoColPaymentForm",
    "OneTimePaymentForm",
    "OneTimePaymentWithAdditionForm",
    "GiftPaymentForm",
    "PaymentReturn",
  ])("stays on a page with %s, which uses `redirectPage` after the payment", async (kind) => {
    location.hash = kind;
    const url = "/en/survey/?redirectPage=/en/coach/";
    const here = arrive(url, "/en/coach/");
    await navigated();
    expect(here()).toBe(url);
  });

  it("stays on a payment page whatever `redirectPage` names", async () => {
    location.hash = "PaymentForm";
    const url = "/en/survey/?redirectPage=regular";
    const here = arrive(url, null);
    await navigated();
    expect(here()).toBe(url);
  });
});
