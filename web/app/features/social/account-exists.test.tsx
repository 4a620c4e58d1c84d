// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { scripts, user } from "./fake-providers";
import { answering, appleAnswers, press, refusing, show, signedIn } from "./test-harness";

describe("an address that has an account", () => {
  const link = refusing(409, "SOCIAL_LINK_REQUIRED");

  it("is linked with its password", async () => {
    scripts();
    appleAnswers();
    const { bodyOf } = answering({ "/api/auth/social/apple": link, "/api/auth/login": signedIn(200) });
    const { onSignedIn } = show();
    press("Sign in with Apple");
    const dialog = await screen.findByRole("dialog", { name: "You already have an account" });
    expect(dialog.textContent).toContain("you can sign in with Apple as well");
    fireEvent.change(screen.getByLabelText("Password"), { target: { value: "calm-1" } });
    press("Sign in and connect Apple");
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledWith({ user, redirectPage: "/en/coach/", kind: "signIn" }));
    expect(bodyOf("/api/auth/login")).toEqual({
      email: "ada@example.com",
      password: "calm-1",
      lang: "en",
      joinProvider: "apple",
    });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("is not linked with a wrong or empty password", async () => {
    scripts();
    appleAnswers();
    const wrong = refusing(401, "INVALID_CREDENTIALS");
    const { callsOf } = answering({ "/api/auth/social/apple": link, "/api/auth/login": wrong });
    const { onSignedIn } = show();
    press("Sign in with Apple");
    await screen.findByRole("dialog");
    press("Sign in and connect Apple");
    const field = screen.getByLabelText("Password");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(callsOf("/api/auth/login")).toEqual([]);
    fireEvent.change(field, { target: { value: "guess" } });
    press("Sign in and connect Apple");
    await screen.findByText("This is not the password of that account.");
    expect(onSignedIn).not.toHaveBeenCalled();
    press("Not now");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("an account with a second factor", () => {
  const asking = () =>
    Response.json(
      { code: "SECOND_FACTOR_REQUIRED", detail: "A code is needed.", data: { challenge: "chl_1" } },
      { status: 401 },
    );

  it("goes on to its second step", async () => {
    scripts();
    appleAnswers();
    answering({ "/api/auth/social/apple": asking });
    const { onSignedIn, onSecondStep } = show();
    press("Sign in with Apple");
    await waitFor(() => expect(onSecondStep).toHaveBeenCalledWith("chl_1"));
    expect(onSignedIn).not.toHaveBeenCalled();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("goes on to it after the password that links the sign-in", async () => {
    scripts();
    appleAnswers();
    answering({ "/api/auth/social/apple": refusing(409, "SOCIAL_LINK_REQUIRED"), "/api/auth/login": asking });
    const { onSecondStep } = show();
    press("Sign in with Apple");
    await screen.findByRole("dialog");
    fireEvent.change(screen.getByLabelText("Password"), { target: { value: "calm-1" } });
    press("Sign in and connect Apple");
    await waitFor(() => expect(onSecondStep).toHaveBeenCalledWith("chl_1"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
