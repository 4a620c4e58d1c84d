// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { currentUser, setSession } from "~/lib/session/session";
import { clearUrlToken, takeUrlTokens } from "~/lib/session/url-token";
import { ada, devices } from "./profile-fixture";
import { alertText, field, fill, gateway, press, sentTo, show } from "./test-harness";

describe("the profile form", () => {
  it("has name, e-mail and password, shows the session's e-mail at once and loads the rest", async () => {
    show();
    expect(field("E-mail").value).toBe("ada@example.org");
    expect(field("Password").value).toBe("");
    await waitFor(() => expect(field("Name").value).toBe("Ada Yılmaz"));
    expect(sentTo("GET /api/profile")).toHaveLength(1);
  });

  it("never overwrites typed values", async () => {
    show();
    fill("Name", "Grace");
    await waitFor(() => expect(sentTo("GET /api/auth/devices")).toHaveLength(1));
    await new Promise((done) => setTimeout(done));
    expect(field("Name").value).toBe("Grace");
  });

  it.each([
    ["Name", " ", "Name, Password"],
    ["E-mail", "", "E-mail, Password"],
    ["E-mail", "ada@", "E-mail, Password"],
  ])("without a valid %s (%j) sends nothing and names the fields: %s", async (label, value, named) => {
    show();
    await waitFor(() => expect(field("Name").value).toBe("Ada Yılmaz"));
    fill(label, value);
    press("Save changes");
    expect(await alertText()).toBe(`Please check these fields: ${named}`);
    await waitFor(() => expect(document.activeElement).toBe(field(label)));
    expect(sentTo("PUT /api/profile")).toEqual([]);
    // A toast, which can be closed.
    press("Close");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("accepts a password of six characters, not of five", async () => {
    gateway.replies["PUT /api/profile"] = [200, { fullname: "Ada", email: "ada@example.org" }];
    show();
    fill("Password", "12345");
    press("Save changes");
    expect(await alertText()).toBe("Please check these fields: Password");
    fill("Password", "123456");
    press("Save changes");
    await waitFor(() => expect(sentTo("PUT /api/profile")).toHaveLength(1));
  });

  it("sends full name, e-mail and password, and updates the session", async () => {
    gateway.replies["PUT /api/profile"] = [200, { fullname: "Ada Lovelace", email: "lovelace@example.org" }];
    show();
    fill("Name", " Ada Lovelace ");
    fill("E-mail", "lovelace@example.org");
    fill("Password", "a quiet place");
    press("Save changes");
    expect((await screen.findByText("Saved here and in the app.")).closest("[role=status]")).not.toBeNull();
    expect(sentTo("PUT /api/profile")).toEqual([
      { fullname: "Ada Lovelace", email: "lovelace@example.org", password: "a quiet place" },
    ]);
    expect(field("Password").value).toBe("");
    expect(currentUser()).toEqual({ ...ada, fullName: "Ada Lovelace", email: "lovelace@example.org" });
  });

  it("asks for the present password when the server requires it, and sends the change again", async () => {
    gateway.replies["PUT /api/profile"] = [403, { code: "STEP_UP_REQUIRED", methods: ["password"], errors: [] }];
    show();
    fill("E-mail", "king@example.org");
    fill("Password", "a quiet place");
    press("Save changes");
    const dialog = within(await screen.findByRole("dialog", { name: "Confirm that it is you" }));
    gateway.replies["POST /api/account/step-up"] = [204, null];
    gateway.replies["PUT /api/profile"] = [
      200,
      { fullname: "Ada", email: "ada@example.org", pendingEmail: "king@example.org" },
    ];
    fill("Your password", "calm-1");
    fireEvent.click(dialog.getByRole("button", { name: "Confirm" }));
    await screen.findByText(/We have sent a link to king@example.org/);
    expect(sentTo("POST /api/account/step-up")).toEqual([{ password: "calm-1" }]);
    expect(sentTo("PUT /api/profile")).toHaveLength(2);
    expect(sentTo("PUT /api/profile").at(-1)).toMatchObject({ email: "king@example.org" });
    expect(field("E-mail").value, "the address waits for its link").toBe("ada@example.org");
    expect(currentUser()?.email).toBe("ada@example.org");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("asks members without a password to sign in again, and keeps the form when they do not", async () => {
    gateway.replies["PUT /api/profile"] = [403, { code: "STEP_UP_REQUIRED", methods: ["sign_in"], errors: [] }];
    show();
    fill("Password", "a quiet place");
    press("Save changes");
    const dialog = within(await screen.findByRole("dialog"));
    dialog.getByRole("button", { name: "Sign in again" });
    fireEvent.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(await alertText()).toBe("Please confirm first that it is you, then try again.");
    expect(field("Password").value).toBe("a quiet place");
    expect(sentTo("PUT /api/profile")).toHaveLength(1);
  });

  it("navigates to the page that content names", async () => {
    gateway.replies["PUT /api/profile"] = [200, { fullname: "Ada", email: "ada@example.org" }];
    const router = show({ successPath: "/success/premium/downloadapp" });
    fill("Password", "a quiet place");
    press("Save changes");
    await waitFor(() => expect(router.state.location.pathname).toBe("/en/success/premium/downloadapp/"));
  });

  it.each([
    ["TOO_COMMON", "Too many people use this password"],
    ["PASSWORD_BREACHED", "This password is known from data leaks"],
  ])("links the server's fault %s to its field", async (code, words) => {
    const errors = [{ field: "password", code, message: "…" }];
    gateway.replies["PUT /api/profile"] = [422, { code: "VALIDATION_FAILED", errors }];
    show();
    fill("Password", "password");
    press("Save changes");
    expect(await alertText()).toBe("Please check these fields: Password");
    const described = document.getElementById(field("Password").getAttribute("aria-describedby") ?? "");
    expect(described?.textContent).toContain(words);
    fill("Password", "another one");
    expect(field("Password").getAttribute("aria-invalid")).toBeNull();
  });

  it("shows that the address has an account (R100), at the top and at the field", async () => {
    gateway.replies["PUT /api/profile"] = [409, { code: "R100", errors: [] }];
    show();
    fill("Password", "a quiet place");
    press("Save changes");
    expect(await alertText()).toBe("This address already has an account.");
    expect(field("E-mail").getAttribute("aria-invalid")).toBe("true");
  });

  it("becomes a visitor when the session has ended", async () => {
    gateway.replies["PUT /api/profile"] = [401, { code: "V100" }];
    show();
    fill("Password", "a quiet place");
    press("Save changes");
    const link = await screen.findByRole("link", { name: "Sign in" });
    expect(link.getAttribute("href")).toBe("/en/signin/?redirectPage=%2Fen%2Fprofile%2F");
  });

  it("has no account sections as a step of a flow", () => {
    show({ isAccount: false });
    expect(screen.getByRole("button", { name: "Save changes" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Delete my account" })).toBeNull();
    expect(sentTo("GET /api/auth/devices")).toEqual([]);
  });
});

describe("the link mailed to a new address", () => {
  const open = () => {
    history.replaceState(null, "", "/en/profile/?emailToken=mailed");
    takeUrlTokens();
    expect(location.search).toBe("");
    show();
  };
  afterEach(() => clearUrlToken("emailToken"));

  it("confirms on a click, not on opening, and updates the session", async () => {
    gateway.replies["POST /api/auth/confirm-email"] = [204, null];
    open();
    const button = await screen.findByRole("button", { name: "Confirm the address" });
    expect(sentTo("POST /api/auth/confirm-email")).toEqual([]);
    gateway.replies["GET /api/profile"] = [200, { fullname: "Ada", email: "king@example.org" }];
    fireEvent.click(button);
    await screen.findByText(/Your new e-mail address is confirmed/);
    expect(sentTo("POST /api/auth/confirm-email")).toEqual([{ token: "mailed" }]);
    await waitFor(() => expect(currentUser()?.email).toBe("king@example.org"));
    await waitFor(() => expect(field("E-mail").value).toBe("king@example.org"));
  });

  it("works for visitors too", async () => {
    setSession({ state: "visitor" });
    gateway.replies["GET /api/auth/session"] = [200, { logged_in: false, user: null }];
    gateway.replies["POST /api/auth/confirm-email"] = [204, null];
    open();
    fireEvent.click(await screen.findByRole("button", { name: "Confirm the address" }));
    await screen.findByText(/Your new e-mail address is confirmed/);
  });

  it.each([
    [422, "LINK_EXPIRED", /used before or is too old/],
    [409, "R100", /already has an account/],
  ])("that fails (%i %s) shows the reason", async (status, code, words) => {
    gateway.replies["POST /api/auth/confirm-email"] = [status, { code, errors: [] }];
    open();
    fireEvent.click(await screen.findByRole("button", { name: "Confirm the address" }));
    await screen.findByText(words);
  });
});

describe("before the session is known", () => {
  it("the page contains the sign-in prompt and the skeleton; styles select one", () => {
    setSession({ state: "unknown" });
    gateway.replies["GET /api/auth/session"] = [200, { logged_in: false, user: null }];
    show();
    expect(screen.getByRole("link", { name: "Sign in" }).closest("[class*='member:hidden']")).not.toBeNull();
    expect(screen.getByText("Loading your account").closest("[class*='visitor:hidden']")).not.toBeNull();
  });
});

describe("the subscription", () => {
  it("is linked", async () => {
    show();
    const link = await screen.findByRole("link", { name: "See my subscription" });
    expect(link.getAttribute("href")).toBe("/en/account/");
  });
});

describe("the devices", () => {
  it("are listed, this one first, and one can be signed out", async () => {
    gateway.replies["DELETE /api/auth/devices/ses_2"] = [204, null];
    show();
    const rows = await screen.findAllByRole("listitem");
    expect(rows[0]?.textContent).toContain("Firefox on Android");
    expect(rows[0]?.textContent).toContain("This device");
    expect(rows[1]?.textContent).toContain("Last used Nov 20, 2026");
    press("Sign out Unknown browser");
    await screen.findByText("Unknown browser is signed out.");
    expect(screen.getAllByRole("listitem")).toHaveLength(1);
    expect(currentUser()).not.toBeNull();
  });

  it("sign out this device as any sign-out does", async () => {
    gateway.replies["POST /api/auth/logout"] = [204, null];
    show();
    fireEvent.click(await screen.findByRole("button", { name: "Sign out Firefox on Android" }));
    await screen.findByRole("link", { name: "Sign in" });
    expect(sentTo("POST /api/auth/logout")).toHaveLength(1);
  });

  it("are all signed out after a confirmation", async () => {
    gateway.replies["POST /api/auth/logout-everywhere"] = [204, null];
    show();
    press("Sign out everywhere");
    const decide = (answer: string) => act(() => screen.getByRole<HTMLDialogElement>("alertdialog").close(answer));
    decide("cancel");
    expect(sentTo("POST /api/auth/logout-everywhere")).toEqual([]);
    press("Sign out everywhere");
    decide("confirm");
    await screen.findByRole("link", { name: "Sign in" });
  });

  it("can be reloaded after a failure", async () => {
    gateway.replies["GET /api/auth/devices"] = [503, { code: "UNAVAILABLE" }];
    show();
    expect(await alertText()).toContain("Something went wrong on our side.");
    gateway.replies["GET /api/auth/devices"] = [200, { devices }];
    press("Try again");
    expect(await screen.findAllByRole("listitem")).toHaveLength(2);
  });
});
