// @vitest-environment jsdom
import { cleanup, screen, waitFor } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { setSession } from "~/lib/session/session";
import { clearUrlToken, takeUrlTokens, urlToken } from "~/lib/session/url-token";
import { press, refusal, renderForm } from "../test-harness";
import { EndSession } from "./end-session";

const PAGE = "/en/account/end-session/";
const CALL = "/api/account/sessions/end";
const DEAD = /This link was used before or is too old/;

/** Opens the page as the mailed link does. */
function arrive(query = "token=mailed") {
  history.replaceState(null, "", `${PAGE}?${query}`);
  takeUrlTokens();
  return renderForm(<EndSession />, PAGE + location.search);
}

const done = () => new Response(null, { status: 204 });
const button = () => screen.queryByRole("button", { name: "End the session" });

/** Answers the call with `reply`, and returns its bodies. */
function answering(reply: () => Response) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (path: string, { body }: { body?: string }) => {
    if (path !== CALL) return Response.json({ logged_in: false, user: null });
    sent.push(body && JSON.parse(body));
    return reply();
  });
  return sent;
}

beforeEach(() => setSession({ state: "visitor" }));

afterEach(() => {
  cleanup();
  clearUrlToken();
  history.replaceState(null, "", "/");
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

describe("the link of a mail about a new sign-in", () => {
  it("ends the session on a click, not on opening, and advises a new password", async () => {
    const sent = answering(done);
    arrive();
    expect(location.search).toBe("");
    expect(screen.getByRole("heading", { level: 1, name: "End this session" })).toBeTruthy();
    expect(sent).toEqual([]);
    press("End the session");
    const notice = await screen.findByText("The session is ended.");
    expect(sent).toEqual([{ token: "mailed" }]);
    await waitFor(() => expect(document.activeElement?.contains(notice)).toBe(true));
    const link = screen.getByRole("link", { name: "Choose a new password" });
    expect(link.getAttribute("href")).toBe("/en/forgot-password/");
    expect(button()).toBeNull();
    expect(urlToken(PAGE)).toBeNull();
  });

  it("that is unknown or expired leads to the account", async () => {
    answering(refusal(404, { code: "LINK_INVALID" }));
    arrive();
    press("End the session");
    await screen.findByText(DEAD);
    expect(screen.getByRole("link", { name: "Go to your account" }).getAttribute("href")).toBe("/en/profile/");
    expect(button()).toBeNull();
  });

  it("without its token is dead", () => {
    answering(done);
    arrive("");
    expect(screen.getByText(DEAD)).toBeTruthy();
    expect(button()).toBeNull();
  });

  it.each([
    [503, "UNAVAILABLE", "Something went wrong on our side. Please try again."],
    [429, "TOO_MANY_ATTEMPTS", catalogues.en.errors.tooMany],
  ])("can be tried again after %i", async (status, code, text) => {
    answering(refusal(status, { code }));
    arrive();
    press("End the session");
    expect((await screen.findByRole("alert")).textContent).toBe(text);
    answering(done);
    press("End the session");
    await screen.findByText("The session is ended.");
  });

  it.each([
    ["token=mailed&done=SESSION_ENDED", "The session is ended."],
    ["token=mailed&error=LINK_INVALID", DEAD],
  ])("posted before hydration shows its outcome (%s)", (query, text) => {
    answering(done);
    arrive(query);
    expect(screen.getByText(text)).toBeTruthy();
    expect(button()).toBeNull();
  });
});

describe("without scripts", () => {
  it("the form posts, and the outcomes are in the page", () => {
    const router = createMemoryRouter([{ path: "*", element: <EndSession /> }], { initialEntries: [PAGE] });
    document.body.innerHTML = renderToString(
      <TextsProvider locale="en" catalogue={catalogues.en}>
        <RouterProvider router={router} />
      </TextsProvider>,
    );
    const form = document.querySelector("form");
    expect([form?.method, form?.getAttribute("action")]).toEqual(["post", CALL]);
    expect(form?.querySelector("button")?.type).toBe("submit");
    for (const code of ["SESSION_ENDED", "LINK_INVALID", "LINK_EXPIRED", "TOO_MANY_ATTEMPTS", "FAILED"]) {
      expect(document.getElementById(code)?.className, code).toContain("target:block");
    }
    // Otherwise the token would be taken for a sign-in.
    expect(document.querySelector("[data-kind=EndSession]")).not.toBeNull();
  });
});
