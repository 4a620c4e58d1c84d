// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { button } from "~/blocks/samples/parts";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { currentUser, setMember, setSession } from "~/lib/session/session";
import { NavigationButtons } from "./header-actions";

const buttons = [
  { ...button, text: "Sign in", url: "/signin" },
  { ...button, text: "Try free", url: "/payment/annual" },
];

function show() {
  const router = createMemoryRouter([{ path: "*", element: <NavigationButtons buttons={buttons} /> }], {
    initialEntries: ["/tr/"],
  });
  render(
    <TextsProvider locale="en" catalogue={catalogues.en}>
      <RouterProvider router={router} />
    </TextsProvider>,
  );
}

/** Includes links in the closed popup. */
const all = { hidden: true };
const hrefs = () => screen.getAllByRole("link", all).map((link) => link.getAttribute("href"));

beforeEach(() => setSession({ state: "unknown" }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("the account menu of the header", () => {
  it("is in the page together with the sign-in link; styles select by the session attribute", () => {
    show();
    expect(screen.getByRole("button", { name: "Your account" }).className).toContain("visitor:hidden");
    expect(screen.getByRole("link", { name: "Sign in" }).className).toContain("member:invisible");
    expect(screen.getByRole("link", { name: "Try free" }).className).not.toContain("member:");
    expect(screen.getByRole("link", { ...all, name: "Your account" }).getAttribute("href")).toBe("/tr/profile/");
  });

  it.each([
    [{ isCoachingUser: true, isTherapyUser: false }, ["/tr/coach/"]],
    [{ coachingready: "1", istherapyuser: "true" }, ["/tr/coach/", "/tr/success/counseling-welcome/"]],
    [{ isCoachingUser: false, isTherapyUser: true }, ["/tr/success/counseling-welcome/"]],
    [{}, []],
  ])("of a member with %j links to their pages", async (flags, theirs) => {
    setMember({ user_id: "usr_1", fullName: "Ada Yılmaz", email: "ada@example.org", ...flags });
    show();
    await screen.findByText("Ada Yılmaz");
    expect(hrefs()).toEqual(["/tr/signin/", "/tr/profile/", ...theirs, "/tr/payment/annual/"]);
  });

  it("signs out", async () => {
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => new Response(null, { status: 204 })),
    );
    setMember({ user_id: "usr_1", fullName: "Ada", email: "ada@example.org" });
    show();
    fireEvent.click(await screen.findByRole("button", { ...all, name: "Sign out" }));
    await waitFor(() => expect(currentUser()).toBeNull());
    expect(fetch).toHaveBeenCalledWith("/api/auth/logout", expect.objectContaining({ method: "POST" }));
    expect(screen.queryByText("Ada")).toBeNull();
  });
});
