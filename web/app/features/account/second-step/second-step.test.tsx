// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TextsProvider } from "~/lib/i18n";
import { catalogues } from "~/lib/i18n/catalogues.server";
import { currentUser, setSession } from "~/lib/session/session";
import { clearUrlToken, takeUrlTokens } from "~/lib/session/url-token";
import { LoginRegister, type LoginRegisterProps } from "../login-register";
import { box, events, fill, press, refusal, renderForm, user } from "../test-harness";

const props: LoginRegisterProps = {
  initial: "signIn",
  confirmEmail: false,
  blockPaste: false,
  disabled: false,
  signUpLabel: null,
  signInLabel: null,
  termsHtml: null,
};

const REDIRECT_QUERY = "redirectPage=%2Fen%2Fpricing%2F";
const PAGE = "/en/signin/";
const VERIFY = "/api/account/second-factor/verify";
const CODE = "Code from your app";

const asking = refusal(401, { code: "SECOND_FACTOR_REQUIRED", data: { challenge: "chl_1" } });
const welcome = () => Response.json({ user, redirectPage: "/en/pricing/" });
const wrong = refusal(422, {
  code: "VALIDATION_FAILED",
  errors: [{ field: "code", code: "SECOND_FACTOR_WRONG", message: "…" }],
});

let replies: Record<string, () => Response>;
let sent: { path: string; body: unknown }[];
const sentTo = (path: string) => sent.filter((call) => call.path.split("?")[0] === path);

const show = (url = `${PAGE}?${REDIRECT_QUERY}`) => renderForm(<LoginRegister {...props} />, url).router;

/** Passes the first step. */
async function signIn() {
  fill("E-mail", "ada@example.com");
  fill("Password", "secret123");
  press("Sign in");
  await screen.findByRole("heading", { name: "One more step" });
}

beforeEach(() => {
  sent = [];
  replies = { "/api/auth/login": asking, [VERIFY]: welcome };
  vi.stubGlobal("fetch", async (path: string, { body }: { body?: string }) => {
    sent.push({ path, body: body && JSON.parse(body) });
    return replies[path.split("?")[0] ?? ""]?.() ?? Response.json({ logged_in: false, user: null });
  });
  setSession({ state: "visitor" });
  window.dataLayer = [];
});

afterEach(() => {
  cleanup();
  clearUrlToken("challenge");
  history.replaceState(null, "", "/");
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

describe("the second step of a sign-in", () => {
  it("asks for the code and goes on as any sign-in does", async () => {
    const router = show();
    await signIn();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.queryByLabelText("Password")).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(box(CODE)));
    expect(box(CODE).autocomplete).toBe("one-time-code");
    expect(box(CODE).getAttribute("inputmode")).toBe("numeric");
    expect(currentUser()).toBeNull();
    expect(events()).toEqual([]);

    fill(CODE, "123 456");
    press("Sign in");
    await waitFor(() => expect(router.state.location.pathname).toBe("/en/pricing/"));
    expect(sentTo(VERIFY)).toEqual([
      { path: `${VERIFY}?${REDIRECT_QUERY}`, body: { challenge: "chl_1", code: "123456" } },
    ]);
    expect(currentUser()).toMatchObject({ user_id: "usr_1" });
    expect(events()).toEqual(["signin"]);
  });

  it("reads the challenge of the data envelope too", async () => {
    replies["/api/auth/login"] = () =>
      Response.json(
        { data: { challenge: "chl_2" }, error: "…", error_code: "SECOND_FACTOR_REQUIRED" },
        { status: 401 },
      );
    show();
    await signIn();
    fill(CODE, "123456");
    press("Sign in");
    await waitFor(() => expect(sentTo(VERIFY)[0]?.body).toEqual({ challenge: "chl_2", code: "123456" }));
  });

  it("returns to the payment page that sent the member to sign in", async () => {
    sessionStorage.setItem("paymentPage", "/en/payment/monthly/");
    replies[VERIFY] = () => Response.json({ user, redirectPage: null });
    const router = show(PAGE);
    await signIn();
    fill(CODE, "123456");
    press("Sign in");
    await waitFor(() => expect(router.state.location.pathname).toBe("/en/payment/monthly/"));
  });

  it("accepts a recovery code instead", async () => {
    show();
    await signIn();
    fill(CODE, "12");
    press("Use a recovery code");
    const recovery = box("Recovery code");
    await waitFor(() => expect(document.activeElement).toBe(recovery));
    expect(recovery.value).toBe("");
    expect(recovery.getAttribute("inputmode")).toBeNull();
    replies[VERIFY] = wrong;
    fill("Recovery code", "abcd-efgh-jkmn");
    press("Sign in");
    await screen.findByText("This recovery code is not right, or it was used before.");
    replies[VERIFY] = welcome;
    press("Sign in");
    await waitFor(() => expect(currentUser()).not.toBeNull());
    expect(sentTo(VERIFY).at(-1)?.body).toEqual({ challenge: "chl_1", code: "abcd-efgh-jkmn" });
  });

  it("shows a wrong and a missing code at the field", async () => {
    replies[VERIFY] = wrong;
    show();
    await signIn();
    press("Sign in");
    await screen.findByText("Please fill this in.");
    expect(sentTo(VERIFY)).toEqual([]);
    fill(CODE, "000000");
    press("Sign in");
    await screen.findByText("This code is not right. Wait for the next one and try again.");
    expect(box(CODE).getAttribute("aria-invalid")).toBe("true");
    await waitFor(() => expect(document.activeElement).toBe(box(CODE)));
    fill(CODE, "1");
    expect(box(CODE).getAttribute("aria-invalid")).toBeNull();
  });

  it("returns to the first step when the challenge has expired", async () => {
    replies[VERIFY] = refusal(401, { code: "CHALLENGE_EXPIRED" });
    show();
    await signIn();
    fill(CODE, "123456");
    press("Sign in");
    expect((await screen.findByRole("alert")).textContent).toBe("This took too long. Please sign in again.");
    expect(box("E-mail").value).toBe("ada@example.com");
  });

  it("shows the wait after too many attempts", async () => {
    replies[VERIFY] = refusal(429, { code: "TOO_MANY_ATTEMPTS" }, { "retry-after": "600" });
    show();
    await signIn();
    fill(CODE, "123456");
    press("Sign in");
    expect((await screen.findByRole("alert")).textContent).toBe("Too many attempts. Please try again in 10 minutes.");
  });

  it("can be left", async () => {
    show();
    await signIn();
    press("Back to sign-in");
    expect(box("E-mail").value).toBe("ada@example.com");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});

describe("a form posted without scripts", () => {
  it("finds the second step in the page, hidden until the fragment names it", () => {
    const router = createMemoryRouter([{ path: "*", element: <LoginRegister {...props} /> }], {
      initialEntries: [PAGE],
    });
    document.body.innerHTML = renderToString(
      <TextsProvider locale="en" catalogue={catalogues.en}>
        <RouterProvider router={router} />
      </TextsProvider>,
    );
    const step = document.getElementById("SECOND_FACTOR_REQUIRED")?.closest("section");
    expect(step?.className).toContain("has-[:target]:block");
    expect(step?.contains(document.getElementById("CODE_SECOND_FACTOR_WRONG"))).toBe(true);
    const form = step?.querySelector("form");
    expect([form?.method, form?.getAttribute("action")]).toEqual(["post", VERIFY]);
    expect([...new FormData(form ?? undefined).keys()]).toEqual(["code"]);
    expect(document.getElementById("CHALLENGE_EXPIRED")?.textContent).toContain("This took too long.");
    document.body.innerHTML = "";
  });

  it("goes on with scripts, by the challenge of the URL", async () => {
    const query = `?${REDIRECT_QUERY}&error=CODE_SECOND_FACTOR_WRONG`;
    history.replaceState(null, "", `${PAGE}${query}&challenge=chl_url`);
    takeUrlTokens();
    expect(location.search).not.toContain("chl_url");
    show(PAGE + query);
    await screen.findByText("This code is not right. Wait for the next one and try again.");
    fill(CODE, "123456");
    press("Sign in");
    await waitFor(() => expect(sentTo(VERIFY)[0]?.body).toEqual({ challenge: "chl_url", code: "123456" }));
  });

  it("begins anew after the challenge has expired", async () => {
    const query = "?error=CHALLENGE_EXPIRED";
    history.replaceState(null, "", `${PAGE}${query}&challenge=chl_url`);
    takeUrlTokens();
    show(PAGE + query);
    expect((await screen.findByRole("alert")).textContent).toBe("This took too long. Please sign in again.");
    expect(box("Password")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
  });
});
