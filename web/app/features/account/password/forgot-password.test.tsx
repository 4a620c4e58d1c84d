// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isLoggedIn, setMember, setSession } from "~/lib/session/session";
import { clearUrlToken, takeUrlTokens } from "~/lib/session/url-token";
import { EmailSignup } from "../email-signup";
import { box, events, fill, isDisabled, press, refusal, renderForm, stubFetch, user } from "../test-harness";
import { ForgotPassword, type ForgotPasswordTexts } from "./forgot-password";

const texts: ForgotPasswordTexts = {
  title: "Forgot it?",
  description: "Tell us your address.",
  submitLabel: "Send",
  sentMessage: "On its way, if there is an account.",
  failedMessage: "It could not be sent.",
  goBackText: "Back",
  resetTitle: "A new one",
  resetDescription: "Six characters.",
  resetSubmitLabel: "Save",
  resetDoneMessage: "Saved.",
  resetInvalidMessage: "This link is over.",
};

const PAGE = "/en/forgot-password/";

const show = (query = "") => renderForm(<ForgotPassword texts={texts} seed="reset" />, PAGE + query);

/** Opens the page as the mailed link does. */
function arrive() {
  history.replaceState(null, "", `${PAGE}?token=secret`);
  takeUrlTokens();
  return show();
}

const done = (status: number) => () => new Response(null, { status });
const heading = () => screen.getByRole("heading", { level: 1 }).textContent;

beforeEach(() => {
  setSession({ state: "visitor" });
  window.dataLayer = [];
});

afterEach(() => {
  cleanup();
  clearUrlToken();
  history.replaceState(null, "", "/");
  vi.unstubAllGlobals();
});

describe("a forgotten password", () => {
  it("requests a link, confirms it, and can request another", async () => {
    const gateway = stubFetch(done(202));
    show();
    fill("E-mail", " ada@example.com ");
    press("Send");
    expect(isDisabled("Send")).toBe(true);
    const banner = await screen.findByText("On its way, if there is an account.");
    await waitFor(() => expect(document.activeElement?.contains(banner)).toBe(true));
    expect(gateway.bodies("/api/auth/forgot-password")).toEqual([{ email: "ada@example.com", lang: "en" }]);
    press("Send");
    await waitFor(() => expect(gateway.bodies("/api/auth/forgot-password")).toHaveLength(2));
  });

  it("shows faults after the field was left, and is disabled until they are fixed", () => {
    show();
    fill("E-mail", "ada@");
    expect([isDisabled("Send"), screen.queryByText(/valid e-mail/)]).toEqual([false, null]);
    fireEvent.blur(box("E-mail"));
    expect(screen.getByText("Please enter a valid e-mail address.")).toBeTruthy();
    expect(isDisabled("Send")).toBe(true);
    fill("E-mail", "ada@example.com");
    expect(isDisabled("Send")).toBe(false);
  });

  it("shows the page's own text when the link could not be sent, and allows a retry", async () => {
    stubFetch(refusal(503, { code: "UNAVAILABLE" }));
    show();
    fill("E-mail", "ada@example.com");
    press("Send");
    expect((await screen.findByRole("alert")).textContent).toBe("It could not be sent.");
    expect(isDisabled("Send")).toBe(false);
  });

  it("shows the wait as well", async () => {
    stubFetch(refusal(429, { code: "TOO_MANY_ATTEMPTS" }, { "retry-after": "600" }));
    show();
    fill("E-mail", "ada@example.com");
    press("Send");
    expect((await screen.findByRole("alert")).textContent).toBe(
      "It could not be sent.Too many attempts. Please try again in 10 minutes.",
    );
  });

  it("links back to sign-in", () => {
    show();
    expect(screen.getAllByRole("textbox")).toHaveLength(1);
    expect(screen.getByRole("link", { name: "Back" }).getAttribute("href")).toBe("/en/signin/");
  });
});

describe("the mailed link", () => {
  it("removes its token from the URL and sends no referrer", () => {
    arrive();
    expect(location.href).not.toContain("secret");
    expect(document.querySelector("meta[name=referrer]")?.getAttribute("content")).toBe("same-origin");
  });

  it("sets a password, ends every session and links to sign-in", async () => {
    setMember(user);
    const gateway = stubFetch(done(204));
    arrive();
    expect(heading()).toBe("A new one");
    fill("New password", "a quiet place");
    press("Save");
    expect(await screen.findByText("Saved.")).toBeTruthy();
    expect(gateway.bodies("/api/auth/reset-password")).toEqual([{ token: "secret", password: "a quiet place" }]);
    expect(screen.getByRole("link", { name: "Sign in" }).getAttribute("href")).toBe("/en/signin/");
    expect([screen.queryByLabelText("New password"), isLoggedIn()]).toEqual([null, false]);
    expect(JSON.stringify(window.dataLayer)).not.toContain("secret");
  });

  it("requires six characters and shows the server's faults", async () => {
    const errors = [{ field: "password", code: "TOO_COMMON" }];
    stubFetch(refusal(422, { code: "VALIDATION_FAILED", errors }));
    arrive();
    fill("New password", "12345");
    press("Save");
    expect(screen.getByText("Use at least 6 characters.")).toBeTruthy();
    fill("New password", "password");
    press("Save");
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Too many people use this password. Choose another one.",
    );
    expect(box("New password").autocomplete).toBe("new-password");
  });

  it("refuses a password that is known from breaches", async () => {
    const errors = [{ field: "password", code: "PASSWORD_BREACHED" }];
    stubFetch(refusal(422, { code: "VALIDATION_FAILED", errors }));
    arrive();
    fill("New password", "stillpoint");
    press("Save");
    expect((await screen.findByRole("alert")).textContent).toBe(
      "This password is known from data leaks. Choose another one.",
    );
  });

  it("asks for the address again when it has expired", async () => {
    stubFetch(refusal(422, { code: "LINK_EXPIRED" }));
    arrive();
    fill("New password", "a quiet place");
    press("Save");
    expect(await screen.findByText("This link is over.")).toBeTruthy();
    expect(heading()).toBe("Forgot it?");
    expect(box("E-mail")).toBeTruthy();
  });
});

describe("the result of a form posted without scripts", () => {
  it("is shown after hydration", () => {
    show("?done=LINK_SENT");
    expect(screen.getByText("On its way, if there is an account.")).toBeTruthy();
    cleanup();
    show("?done=PASSWORD_SAVED");
    expect(screen.getByText("Saved.")).toBeTruthy();
    cleanup();
    show("?error=LINK_EXPIRED");
    expect(screen.getByRole("alert").textContent).toBe("This link is over.");
  });
});

describe("sign-up by address", () => {
  const signUp = () => {
    fill("E-mail", "ada@example.com");
    press("Begin");
  };

  it("sends the specified payload and navigates to the allowed page, after its events", async () => {
    const gateway = stubFetch(() => Response.json({ user, redirectPage: "/en/payment/annual/" }, { status: 201 }));
    const { router } = renderForm(
      <EmailSignup submitLabel="Begin" />,
      "/en/email-signup/?redirectPage=%2Fen%2Fpayment%2Fannual%2F&orderid=ord_9",
    );
    signUp();
    await waitFor(() => expect(router.state.location.pathname).toBe("/en/payment/annual/"));
    expect(events()).toEqual(["signup", "sign-up-done"]);
    expect(gateway.bodies("/api/auth/email-signup")).toEqual([
      { email: "ada@example.com", lang: "en", name: "User", password: "placeholder", orderid: "ord_9" },
    ]);
  });

  it("offers to sign in when the address has an account", async () => {
    stubFetch(refusal(409, { code: "R100" }));
    renderForm(<EmailSignup submitLabel="Begin" />, "/en/email-signup/");
    signUp();
    expect((await screen.findByRole("link", { name: "Sign in instead" })).getAttribute("href")).toBe("/en/signin/");
  });

  it("shows the reason that the payment page gave", async () => {
    const { router } = renderForm(<EmailSignup submitLabel="Begin" />, "/en/email-signup/");
    expect(screen.queryByText("Create an account first.")).toBeNull();
    await router.navigate("/en/email-signup/", { state: { notice: "Create an account first." } });
    expect(await screen.findByText("Create an account first.")).toBeTruthy();
  });

  it("is disabled while the address is invalid", () => {
    renderForm(<EmailSignup submitLabel="Begin" />, "/en/email-signup/");
    fill("E-mail", "ada");
    fireEvent.blur(box("E-mail"));
    expect(isDisabled("Begin")).toBe(true);
  });
});
